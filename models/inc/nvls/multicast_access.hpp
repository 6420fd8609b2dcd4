// What a multicast engine remembers of a request until all members have answered.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "transactors/packet/packet.hpp"

namespace heddle {

struct multicast_lane;

struct multicast_access {
  std::uint32_t slot = 0;  // its place in the table, part of the tag
  packet* request = nullptr;
  multicast_lane* from = nullptr;  // of the port where it came in
  std::uint64_t missing = 0;       // members that have not answered
  std::uint32_t unsent = 0;        // copies with data that have not left
  fs_t copies_out = 0;             // when the last byte of those that have left is out
  bool is_error = false;           // of a member
  std::uint32_t answer_bytes = 0;  // on the wire, of each answer
  // Of the answers, behind the crossbar: when the first packet of the latest train is there, and
  // when everything is.
  fs_t first_in = 0, last_in = 0;
  cause why;                            // the last answer so far
  std::vector<payload_slice> operands;  // by member
};

class multicast_access_table {
 public:
  multicast_access& take(std::size_t members) {
    if (free_.empty()) {
      all_.push_back(std::make_unique<multicast_access>());
      all_.back()->slot = static_cast<std::uint32_t>(all_.size() - 1);
      all_.back()->operands.resize(members);
      free_.push_back(all_.back().get());
    }
    multicast_access& taken = *free_.back();
    free_.pop_back();
    taken.copies_out = taken.first_in = taken.last_in = 0;
    taken.is_error = false;
    return taken;
  }
  void give_back(multicast_access& used) {
    used.request = nullptr;
    used.why = {};
    for (payload_slice& each : used.operands) each.reset();
    free_.push_back(&used);
  }
  multicast_access& at(std::uint32_t slot) const { return *all_[slot]; }
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::unique_ptr<multicast_access>> all_;
  std::vector<multicast_access*> free_;
};

}  // namespace heddle
