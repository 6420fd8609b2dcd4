// The four phases of the base protocol on one hop (IEEE 1666-2011, 15.2): order of the phases of a
// transaction, what a call may return, and the two exclusion rules: one request and one response
// under way at a time.
#pragma once

#include <string>
#include <tlm>
#include <unordered_map>

#include "platform/time/fs_time.hpp"
#include "transactors/monitors/payload_rules.hpp"

namespace heddle {

class phase_rules {
 public:
  enum class direction { forward, backward };

  // A phase of the payload takes effect at `when`. Returns the broken rule, "" when all is well.
  std::string enter(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                    direction from, fs_t when);
  // The call that brought `called` came back: `returned` is valid with TLM_UPDATED. `is_delayed`:
  // the annotated delay is not what it was.
  std::string leave(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& called,
                    direction from, tlm::tlm_sync_enum result, const tlm::tlm_phase& returned,
                    bool is_delayed, fs_t when);

  bool is_open(const tlm::tlm_generic_payload& payload) const { return open_.count(&payload) > 0; }

 private:
  struct transaction {
    int phase = tlm::UNINITIALIZED_PHASE;
    fs_t when = 0;
    payload_snapshot request;
  };

  std::string begin_request(const tlm::tlm_generic_payload& payload, fs_t when);
  std::string begin_response(const tlm::tlm_generic_payload& payload, transaction& now);
  std::string complete(const tlm::tlm_generic_payload& payload);
  void close(const tlm::tlm_generic_payload& payload);

  std::unordered_map<const tlm::tlm_generic_payload*, transaction> open_;
  const tlm::tlm_generic_payload* requesting_ = nullptr;  // BEGIN_REQ, but no END_REQ yet
  const tlm::tlm_generic_payload* responding_ = nullptr;  // BEGIN_RESP, but no END_RESP yet
};

}  // namespace heddle
