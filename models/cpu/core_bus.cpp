#include "models/cpu/core_bus.hpp"

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

core_bus::core_bus(unit& core, access_initiator& initiator, rank_core& rank)
    : rank_(rank),
      resources_(rank.resources()),
      audit_(core.sim().service<register_audit_log>()),
      socket_("bus"),
      port_(core, "bus", socket_),
      view_(socket_, core.path()),
      posted_(core.sim(), initiator, view_),
      mmio_log_(mmio_log::of(core.sim())) {
  origin_.initiator = &initiator;
  socket_.register_invalidate_direct_mem_ptr(this, &core_bus::withdraw);
}

void core_bus::spend(category what, fs_t when) {
  rank_.why().then(what, rank_.rank_site(), when);
}

// A foreign target does not know atomics, and may say that all went well.
void core_bus::refuse_if_undone(tlm::tlm_generic_payload& payload) {
  const auto* atomic = payload.get_extension<atomic_extension>();
  if (atomic && !atomic->is_performed && payload.is_response_ok())
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

core_bus::outcome core_bus::access(tlm::tlm_generic_payload& payload, fs_t start,
                                   const code_point& from) {
  const std::uint64_t address = payload.get_address();
  const bool is_posted = payload.get_extension<posted_extension>() != nullptr;
  const bool rings = is_posted && !resources_.holds(address);
  spend(rings ? category::doorbell : category::firmware, start);
  // A posted write goes its own way from here; what it does to this core's memory explains nothing.
  cause posted;
  if (rings) posted = why();
  sc_core::sc_time delay = to_sc_time(start - now_fs());
  const std::uint64_t refusals = audit_.count();
  origin_.start(from);
  if (is_posted) posted_.announce(address, from);
  payload.set_extension(&origin_);
  {
    const running_cause accessing(is_posted ? posted : why());
    running_cause::take_seen();
    socket_->b_transport(payload, delay);
    seen_ = running_cause::take_seen();
  }
  payload.clear_extension(&origin_);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) refuse_if_undone(payload);
  if (mmio_log_) mmio_log_->add(start, payload, origin_);
  return {payload.is_response_ok(), audit_.count() > refusals, now_fs() + to_fs(delay)};
}

}  // namespace heddle
