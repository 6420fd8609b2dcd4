#include "transactors/monitors/phase_rules.hpp"

#include <fmt/format.h>

#include "transactors/monitors/violation.hpp"

namespace heddle {
namespace {

const char* name_of(int phase) {
  switch (phase) {
    case tlm::BEGIN_REQ:
      return "BEGIN_REQ";
    case tlm::END_REQ:
      return "END_REQ";
    case tlm::BEGIN_RESP:
      return "BEGIN_RESP";
    case tlm::END_RESP:
      return "END_RESP";
    default:
      return "a phase outside the base protocol";
  }
}

bool is_of_initiator(int phase) {
  return phase == tlm::BEGIN_REQ || phase == tlm::END_RESP;
}

}  // namespace

std::string phase_rules::enter(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                               direction from, fs_t when) {
  const int entered = static_cast<int>(static_cast<unsigned>(phase));
  if (entered < tlm::BEGIN_REQ || entered > tlm::END_RESP) return {};  // extended: to be ignored
  if (is_of_initiator(entered) != (from == direction::forward))
    return fmt::format("{} from the {}", name_of(entered),
                       from == direction::forward ? "initiator" : "target");
  if (entered == tlm::BEGIN_REQ) return begin_request(payload, when);

  const auto found = open_.find(&payload);
  if (found == open_.end()) return fmt::format("{} without BEGIN_REQ", name_of(entered));
  transaction& now = found->second;
  // BEGIN_RESP right after BEGIN_REQ implies END_REQ.
  const bool is_in_order =
      now.phase == entered - 1 || (entered == tlm::BEGIN_RESP && now.phase == tlm::BEGIN_REQ);
  if (!is_in_order) return fmt::format("{} after {}", name_of(entered), name_of(now.phase));
  if (when < now.when)
    return fmt::format("{} at {} fs, before {} at {} fs", name_of(entered), when,
                       name_of(now.phase), now.when);
  if (requesting_ == &payload) requesting_ = nullptr;
  now.phase = entered;
  now.when = when;
  if (entered == tlm::BEGIN_RESP) return begin_response(payload, now);
  if (entered == tlm::END_RESP) close(payload);
  return {};
}

std::string phase_rules::begin_request(const tlm::tlm_generic_payload& payload, fs_t when) {
  if (is_open(payload)) return "BEGIN_REQ with a payload that is still in flight";
  std::string rule = broken_request_rule(payload);
  if (rule.empty() && requesting_)
    rule = "BEGIN_REQ before END_REQ of the " + described_access(*requesting_).text();
  requesting_ = &payload;
  open_[&payload] = {tlm::BEGIN_REQ, when, payload_snapshot(payload)};
  return rule;
}

std::string phase_rules::begin_response(const tlm::tlm_generic_payload& payload, transaction& now) {
  std::string rule = now.request.broken_response_rule(payload);
  if (rule.empty() && responding_)
    rule = "BEGIN_RESP before END_RESP of the " + described_access(*responding_).text();
  responding_ = &payload;
  return rule;
}

std::string phase_rules::leave(const tlm::tlm_generic_payload& payload,
                               const tlm::tlm_phase& called, direction from,
                               tlm::tlm_sync_enum result, const tlm::tlm_phase& returned,
                               bool is_delayed, fs_t when) {
  const int before = static_cast<int>(static_cast<unsigned>(called));
  switch (result) {
    case tlm::TLM_ACCEPTED:
      if (returned != called || is_delayed)
        return fmt::format("{} returned TLM_ACCEPTED with another phase or delay", name_of(before));
      return {};
    case tlm::TLM_UPDATED:
      if (before == tlm::END_REQ || before == tlm::END_RESP)
        return fmt::format("{} returned TLM_UPDATED", name_of(before));
      return enter(payload, returned,
                   from == direction::forward ? direction::backward : direction::forward, when);
    default:
      if (before == tlm::END_REQ) return "END_REQ returned TLM_COMPLETED";
      if (before == tlm::BEGIN_REQ) return complete(payload);
      close(payload);
      return {};
  }
}

// The target answers a request at once: the phases that are left out are implied.
std::string phase_rules::complete(const tlm::tlm_generic_payload& payload) {
  const auto found = open_.find(&payload);
  if (found == open_.end()) return "TLM_COMPLETED without BEGIN_REQ";
  std::string rule = found->second.request.broken_response_rule(payload);
  close(payload);
  return rule;
}

void phase_rules::close(const tlm::tlm_generic_payload& payload) {
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  open_.erase(&payload);
}

}  // namespace heddle
