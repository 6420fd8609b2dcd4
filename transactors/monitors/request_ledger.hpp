// Every request of the run that has no response yet. The monitors at a requester's own links keep
// it: there each request leaves once and each response arrives once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "transactors/monitors/violation.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

class simulation;

class request_ledger {
 public:
  // Responses of a kind by which some kind of request is answered.
  static bool follows(packet_kind kind);
  // Both return the broken rule, "" when all is well. The ledger refers to the name of the link.
  std::string request_leaves(const packet& request, std::string_view link);
  std::string response_arrives(const packet& response);

  std::size_t open() const { return open_.size(); }
  // Nothing will happen any more: what has no response now never gets one. When a run is stopped,
  // by the last core's exit or a failure, packets may rightly be under way: then nobody asks.
  void report_lost(simulation& sim) const;

 private:
  struct open_request {
    described_packet request;
    std::string_view link;  // where it left
  };
  // Requester, responder and tag in one number.
  using request_id = std::uint64_t;
  static request_id id_of(std::uint16_t requester, std::uint16_t responder, std::uint32_t tag) {
    return request_id{requester} << 48 | request_id{responder} << 32 | tag;
  }
  std::unordered_map<request_id, open_request> open_;
};

}  // namespace heddle
