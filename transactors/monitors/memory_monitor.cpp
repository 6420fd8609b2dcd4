#include "transactors/monitors/memory_monitor.hpp"

#include <fmt/format.h>

#include "platform/poll/poll_question.hpp"
#include "transactors/monitors/payload_rules.hpp"

namespace heddle {

memory_monitor::memory_monitor(const sc_core::sc_module_name& name, const std::string& path,
                               simulation& sim)
    : sc_module(name), path_(path), sim_(sim) {
  from_initiator.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  to_target.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void memory_monitor::report(const described_access& access, const std::string& rule) {
  if (!rule.empty()) report_violation(sim_, path_, access.text(), rule);
}

void memory_monitor::b_transport(payload& access, sc_core::sc_time& delay) {
  const described_access said(access);
  report(said, broken_request_rule(access));
  if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
    report(said, "b_transport from a method process");
  if (phases_.is_open(access) || !blocking_.insert(&access).second)
    report(said, "b_transport with a payload that is still in flight");
  const payload_snapshot request(access);
  const sc_core::sc_time start = sc_core::sc_time_stamp() + delay;
  to_target->b_transport(access, delay);
  const sc_core::sc_time end = sc_core::sc_time_stamp() + delay;
  blocking_.erase(&access);
  report(said, request.broken_response_rule(access));
  if (end < start)
    report(said, fmt::format("starts at {} fs and is done at {} fs", to_fs(start), to_fs(end)));
}

tlm::tlm_sync_enum memory_monitor::nb_transport_fw(payload& access, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  using direction = phase_rules::direction;
  const described_access said(access);
  const tlm::tlm_phase called = phase;
  const sc_core::sc_time before = delay;
  if (blocking_.count(&access) > 0) report(said, "is in b_transport at the same time");
  report(said, broken_management_rule(access));
  report(said, phases_.enter(access, phase, direction::forward, now_fs() + to_fs(delay)));
  const auto result = to_target->nb_transport_fw(access, phase, delay);
  report(said, phases_.leave(access, called, direction::forward, result, phase, delay != before,
                             now_fs() + to_fs(delay)));
  return result;
}

// The initiator may use the payload again before the call returns: its text is taken before.
tlm::tlm_sync_enum memory_monitor::nb_transport_bw(payload& access, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  using direction = phase_rules::direction;
  const described_access said(access);
  const tlm::tlm_phase called = phase;
  const sc_core::sc_time before = delay;
  report(said, broken_management_rule(access));
  report(said, phases_.enter(access, phase, direction::backward, now_fs() + to_fs(delay)));
  const auto result = from_initiator->nb_transport_bw(access, phase, delay);
  report(said, phases_.leave(access, called, direction::backward, result, phase, delay != before,
                             now_fs() + to_fs(delay)));
  return result;
}

unsigned memory_monitor::transport_dbg(payload& access) {
  const described_access said(access);
  const std::string rule = broken_debug_rule(access);
  if (!rule.empty()) report_violation(sim_, path_, "debug " + said.text(), rule);
  if (auto* question = access.get_extension<poll_question>())
    question->see_through(*this, *to_target.operator->());
  const unsigned bytes = to_target->transport_dbg(access);
  if (bytes > access.get_data_length())
    report_violation(sim_, path_, "debug " + said.text(),
                     fmt::format("the target says that it moved {} B", bytes));
  return bytes;
}

// The region counts whether access is granted or not: it says where the answer holds.
bool memory_monitor::get_direct_mem_ptr(payload& access, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = access.get_address();
  const auto report_region = [&](const std::string& rule) {
    report_violation(sim_, path_, fmt::format("direct access at {:#x}", address), rule);
  };
  const bool is_granted = to_target->get_direct_mem_ptr(access, dmi);
  if (address < dmi.get_start_address() || address > dmi.get_end_address())
    report_region(
        fmt::format("the region is {:#x}..{:#x}", dmi.get_start_address(), dmi.get_end_address()));
  if (is_granted && !dmi.get_dmi_ptr()) report_region("granted without a pointer");
  return is_granted;
}

void memory_monitor::invalidate_direct_mem_ptr(sc_dt::uint64 from, sc_dt::uint64 to) {
  if (from > to)
    report_violation(sim_, path_, "withdrawal of direct access",
                     fmt::format("the region is {:#x}..{:#x}", from, to));
  from_initiator->invalidate_direct_mem_ptr(from, to);
}

}  // namespace heddle
