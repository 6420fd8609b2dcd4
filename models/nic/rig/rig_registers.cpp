// What software sees of a RIG block.
#include <fmt/format.h>

#include <algorithm>

#include "models/nic/rig/rig.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

void rig::set_up_registers() {
  regs_.units.set(static_cast<std::uint32_t>(clients_of_.size()));
  regs_.node.set(number_);
  regs_.nodes.on_write([this](std::uint32_t, std::uint32_t now) { set_nodes(now); });
  regs_.rows_per_node.on_write([this](std::uint64_t, std::uint64_t now) {
    if (!refuses_while_running(regs_.rows_per_node))
      settings.rows_per_node = std::clamp<std::uint64_t>(now, 1, UINT32_MAX);
    regs_.rows_per_node.set(settings.rows_per_node);
  });
  regs_.property_base.on_write(
      [this](std::uint64_t, std::uint64_t now) { settings.property_base = now; });
  settings.length = regs_.length.value();
  regs_.length.on_write([this](std::uint32_t, std::uint32_t now) { set_length(now); });
  regs_.kernel.on_write([this](std::uint32_t, std::uint32_t now) { settings.kernel = now & 0xff; });
  regs_.clients.set(clients_);
  regs_.clients.on_write([this](std::uint32_t, std::uint32_t now) { set_clients(now); });
  regs_.clear.on_write([this](std::uint32_t, std::uint32_t) { clear_filter(); });
  regs_.concatenation.enable.set(rig_regs::concatenation_enable::SHARED);
  regs_.concatenation.delay.set(static_cast<std::uint32_t>(concatenator_.settings().delay));
  regs_.concatenation.on_write([this](std::uint32_t, std::uint32_t) { set_concatenation(); });
  for (int at = 0; at < static_cast<int>(clients_of_.size()); ++at) {
    const auto bank = regs_.unit[static_cast<std::size_t>(at)];
    bank.doorbell.on_write([this, at](std::uint32_t, std::uint32_t) { ring_doorbell(at); });
    bank.control.on_write([this, at, bank](std::uint32_t, std::uint32_t) {
      if (bank.control.reset.get() == rig_regs::unit_control_reset::YES) reset(at);
    });
  }
}

// Where the rows are, how long a property is, the filter and who is a client stay as they are while
// a command runs. Returns whether one does, and reports the write then.
template <class Register>
bool rig::refuses_while_running(const Register& written) {
  for (std::size_t at = 0; at < clients_of_.size(); ++at) {
    if (!clients_of_[at]->is_running()) continue;
    regs_.report(written,
                 fmt::format("unit {} gathers with it: write it when all units are idle", at));
    return true;
  }
  return false;
}

// Requests go to the node that a row belongs to.
void rig::set_nodes(std::uint32_t wanted) {
  if (refuses_while_running(regs_.nodes)) return regs_.nodes.set(settings.nodes);
  const std::uint32_t nodes = std::max(1U, wanted);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (directory_.has(node)) continue;
    regs_.report(regs_.nodes, fmt::format("there is no node {}", node));
    return regs_.nodes.set(settings.nodes);
  }
  settings.nodes = nodes;
}

// The contract of the register allows whatever fits into a packet of the largest MTU. A length that
// is too long for the MTU of this NIC is reported; commands with it fail.
void rig::set_length(std::uint32_t wanted) {
  if (refuses_while_running(regs_.length)) return regs_.length.set(settings.length);
  settings.length = wanted;
  if (wanted > limits.longest_property)
    regs_.report(
        regs_.length,
        fmt::format("a property of {} B fits into no packet of {} B, which leaves {} B for it: cut "
                    "longer ones into slices",
                    wanted, mtu_, limits.longest_property));
}

void rig::set_clients(std::uint32_t wanted) {
  if (refuses_while_running(regs_.clients)) return regs_.clients.set(clients_);
  const auto there = static_cast<std::uint32_t>((std::uint64_t{1} << clients_of_.size()) - 1);
  clients_ = wanted & there;
  if (clients_ == wanted) return;
  regs_.report(regs_.clients, fmt::format("there are {} units", clients_of_.size()));
  regs_.clients.set(clients_);
}

bool rig::accepts(int at, const rig_command& command, std::string& reason, error& code) const {
  if (!is_client(at)) {
    reason = fmt::format("unit {} is a server: `clients` says who is a client", at);
    code = error::NOT_A_CLIENT;
    return false;
  }
  if (command.filters && filter.bits() < settings.columns()) {
    reason = fmt::format(
        "the filter has {} bits for {} columns: set filter_bits and write clear "
        "before a command that filters",
        filter.bits(), settings.columns());
    code = error::NO_FILTER;
    return false;
  }
  if (!has_length()) {
    reason = fmt::format("a property of {} B fits into no packet: it has 1 to {} B",
                         settings.length, limits.longest_property);
    code = error::LENGTH;
    return false;
  }
  return true;
}

void rig::ring_doorbell(int at) {
  const auto bank = regs_.unit[static_cast<std::size_t>(at)];
  if (bank.status.state.get() != state::IDLE) return;  // its contract has told
  rig_command command;
  command.indices = bank.indices.value();
  command.destination = bank.destination.value();
  command.count = bank.list_length.value();
  command.index_bytes = bank.index_bytes.value() == 8 ? 8 : 4;
  command.filters = bank.flags.filter.get() == rig_regs::unit_flags_filter::YES;
  command.coalesces = bank.flags.coalesce.get() == rig_regs::unit_flags_coalesce::YES;
  command.watchdog = bank.watchdog_ns.value() * fs_per_ns;
  std::string reason;
  error code = error::NONE;
  if (!accepts(at, command, reason, code)) {
    regs_.report(bank.doorbell, reason);
    ++counters_.failures;
    bank.status.error.set(code);
    show_state(at, state::FAILED);
    return raise_interrupt(at, true);
  }
  if (relies_on_void(command))
    regs_.report(bank.doorbell,
                 "the filter has bits of a command that failed, and whose properties may not be "
                 "used: gather its list again without the filter, or clear the filter");
  bank.status.error.set(error::NONE);
  show_state(at, state::RUN);
  if (buffers_.begin(bank.doorbell.cell()))
    buffers_.take(buffer_use::source, command.indices,
                  std::uint64_t{command.count} * command.index_bytes, static_cast<unsigned>(at));
  clients_of_[static_cast<std::size_t>(at)]->start(command);
}

// Whether the command would leave out properties of a command that failed. Without the filter the
// list of that command is gathered anew, and what it had set in the filter becomes true.
bool rig::relies_on_void(const rig_command& command) {
  if (command.filters) return !void_.empty();
  void_.erase(std::remove_if(void_.begin(), void_.end(),
                             [&](const rig_command& each) {
                               return each.indices == command.indices &&
                                      each.destination == command.destination &&
                                      each.count <= command.count;
                             }),
              void_.end());
  return false;
}

// Software has read of the failure, or has ended the command itself.
void rig::note_void(int at) {
  const rig_client& client = *clients_of_[static_cast<std::size_t>(at)];
  const auto status = regs_.unit[static_cast<std::size_t>(at)].status;
  const auto why = status.error.get();
  const bool has_started =
      why != error::NOT_A_CLIENT && why != error::NO_FILTER && why != error::LENGTH;
  if (status.state.get() == state::IDLE || !has_started) return;
  if (client.command().filters && client.counts().responses > 0) void_.push_back(client.command());
}

void rig::reset(int at) {
  note_void(at);
  clients_of_[static_cast<std::size_t>(at)]->abandon();
  regs_.unit[static_cast<std::size_t>(at)].status.error.set(error::NONE);
  show_state(at, state::IDLE);
}

void rig::clear_filter() {
  if (refuses_while_running(regs_.clear)) return;
  const std::uint64_t bits = regs_.filter_bits.value();
  if (const std::uint64_t base = regs_.filter_base.value();
      base > memory_bytes_ || index_filter::bytes_for(bits) > memory_bytes_ - base) {
    regs_.report(regs_.clear,
                 fmt::format("a filter of {} bits at {:#x} ends beyond the memory of {} B", bits,
                             base, memory_bytes_));
    return;
  }
  filter.resize(bits);
  void_.clear();
  clears_until_ = now_fs() + cache_.fill(filter.bytes(), now_fs());
  regs_.status.state.set(rig_regs::status_state::CLEARING);
  cleared_.at(clears_until_);
}

void rig::end_clearing() {
  if (now_fs() < clears_until_) return cleared_.at(clears_until_);
  regs_.status.state.set(rig_regs::status_state::READY);
}

void rig::set_concatenation() {
  const bool is_shared = regs_.concatenation.enable.get() == rig_regs::concatenation_enable::SHARED;
  if (concatenator_.empty()) return concatenator_.set(is_shared, regs_.concatenation.delay.get());
  regs_.report(regs_.concatenation, "property requests wait for others now");
  const concatenator_settings& kept = concatenator_.settings();
  regs_.concatenation.enable.set(kept.is_enabled ? rig_regs::concatenation_enable::SHARED
                                                 : rig_regs::concatenation_enable::ALONE);
  regs_.concatenation.delay.set(static_cast<std::uint32_t>(kept.delay));
}

void rig::show_state(int at, state now) {
  if (now != state::RUN) buffers_.release(static_cast<unsigned>(at), static_cast<unsigned>(at));
  regs_.unit[static_cast<std::size_t>(at)].status.state.set(now);
  state_traces_[static_cast<std::size_t>(at)].set(now, now_fs());
}

// Registers tell of the last command, statistics of all.
void rig::note_counts(int at) {
  const rig_client_counts& of = clients_of_[static_cast<std::size_t>(at)]->counts();
  const auto bank = regs_.unit[static_cast<std::size_t>(at)];
  const auto narrow = [](std::uint64_t count) { return static_cast<std::uint32_t>(count); };
  bank.local.set(narrow(of.local));
  bank.filtered.set(narrow(of.filtered));
  bank.coalesced.set(narrow(of.coalesced));
  bank.issued.set(narrow(of.issued));
  bank.stall_lsq.set(narrow(of.stall_lsq));
  bank.stall_pending.set(narrow(of.stall_pending));
  bank.stall_tx.set(narrow(of.stall_tx));
  counters_.local += of.local;
  counters_.filtered += of.filtered;
  counters_.coalesced += of.coalesced;
  counters_.issued += of.issued;
  counters_.responses += of.responses;
  counters_.stall_lsq += of.stall_lsq * limits.cycle;
  counters_.stall_pending += of.stall_pending * limits.cycle;
  counters_.stall_tx += of.stall_tx * limits.cycle;
  const nic_cache_counts& seen = cache_.counts();
  counters_.l1_hits.raise_to(seen.l1_hits);
  counters_.l2_hits.raise_to(seen.l2_hits);
  counters_.llc_hits.raise_to(seen.llc_hits);
  counters_.memory_accesses.raise_to(seen.dram);
  counters_.invalidations.raise_to(seen.invalidations);
}

void rig::raise_interrupt(int at, bool has_failed) {
  events_.raise(std::uint64_t{1} << (has_failed ? at + 32 : at));
}

}  // namespace heddle
