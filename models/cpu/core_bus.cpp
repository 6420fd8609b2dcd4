#include "models/cpu/core_bus.hpp"

#include <fmt/format.h>

#include "platform/buffers/buffer_watch.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "platform/workload/rank_memory.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

std::string kind_of(const tlm::tlm_generic_payload& access) {
  const auto* atomic = access.get_extension<atomic_extension>();
  if (atomic) return std::string("atomic ") + name_of(atomic->operation);
  return access.is_write() ? "write" : "read";
}

core_bus::core_bus(unit& core, access_initiator& initiator, rank_core& rank)
    : rank_(rank),
      resources_(rank.resources()),
      audit_(core.sim().service<register_audit_log>()),
      socket_("bus"),
      port_(core, "bus", socket_),
      view_(socket_, core.path()),
      posted_(core.sim(), initiator, view_),
      mmio_log_(mmio_log::of(core.sim())),
      laid_out_(resources_.window_bytes == 0 ? 0 : rank_memory(resources_.window_bytes).data),
      core_(core),
      flags_(core.sim().service<flag_directory>()) {
  origin_.initiator = &initiator;
  socket_.register_invalidate_direct_mem_ptr(this, &core_bus::withdraw);
}

// A core may write its own flags whenever it likes; ranks that share a window have the same.
const flag_area* core_bus::flags_of_another(std::uint64_t address) {
  if (resources_.holds(address)) return nullptr;
  return flags_.find(core_.sim(), address);
}

void core_bus::report_unfenced_flag(const tlm::tlm_generic_payload& payload, fs_t when,
                                    const code_point& from) {
  const access_initiator& by = *origin_.initiator;
  const std::string first = by.line_at(origin_.first_unfenced).text();
  register_audit record;
  record.time = when;
  record.path = by.initiator_path();
  record.reason = fmt::format(
      "writes a flag of {} at {:#x} while {} store{} to memory not fenced yet{}{}: call "
      "hal_fence() "
      "before the write of the flag",
      flags_of_another(payload.get_address())->owner->rank_path(), payload.get_address(),
      origin_.unfenced_stores, origin_.unfenced_stores == 1 ? " is" : "s are",
      first.empty() ? "" : ", the first at ", first);
  record.initiator = by.initiator_path();
  record.place = by.line_at(from).text();
  report_contract(core_.sim(), std::move(record));
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
  origin_.is_private = is_private(address);
  origin_.is_flag = !payload.is_read() && flags_of_another(address) != nullptr;
  if (origin_.is_flag && origin_.unfenced_stores > 0) report_unfenced_flag(payload, start, from);
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
  if (mmio_log_) mmio_log_->add(start, payload, origin_, payload.get_extension<atomic_extension>());
  return {payload.is_response_ok(), audit_.count() > refusals, now_fs() + to_fs(delay)};
}

}  // namespace heddle
