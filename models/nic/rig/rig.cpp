// Units and their way to the host. Registers: rig_registers.cpp, network: rig_network.cpp.
#include "models/nic/rig/rig.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/no_data.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(rig, describe_unit<rig>("rig",
                                             "remote indexed gather units of a SmartNIC, clients "
                                             "and servers",
                                             rig_regs::markdown));

nic_cache_settings cache_of(const rig_parameters& p) {
  nic_cache_settings settings;
  settings.pairs = static_cast<int>((p.units() + 1) / 2);
  settings.cycle = p.cycle().fs;
  settings.l1_bytes = p.l1().bytes;
  settings.l2_bytes = p.l2().bytes;
  settings.llc_bytes = p.llc().bytes;
  settings.dram_latency = p.memory_latency().fs;
  settings.dram_rate = p.memory_rate();
  return settings;
}

concatenator_settings concatenation_of(const rig_parameters& p) {
  concatenator_settings settings;
  settings.cycle = p.cycle().fs;
  settings.delay = p.delay();
  settings.mtu = static_cast<std::uint32_t>(p.mtu().bytes);
  settings.pool = static_cast<std::uint32_t>(p.pool());
  return settings;
}

rig_limits limits_of(const rig_parameters& p) {
  rig_limits limits;
  limits.cycle = p.cycle().fs;
  limits.quantum = static_cast<std::uint32_t>(p.quantum());
  limits.idx_bytes = static_cast<std::uint32_t>(p.idx_buffer().bytes);
  limits.pending = static_cast<std::uint32_t>(p.pending());
  limits.lsq = static_cast<std::uint32_t>(p.lsq());
  limits.property_bytes = static_cast<std::uint32_t>(p.property_buffer().bytes);
  limits.longest_property =
      gather_format::longest_property(static_cast<std::uint32_t>(p.mtu().bytes));
  limits.tx_queue = static_cast<std::uint32_t>(p.tx_queue());
  limits.rx_queue = static_cast<std::uint32_t>(p.rx_queue());
  return limits;
}

}  // namespace

std::vector<port_description> rig::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "the memory of the host, behind a PCIe bridge"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"},
          {"port", "packet", "a link into the fabric"}};
}

rig::rig(const unit_context& context, const parameters& p)
    : unit(context),
      number_(static_cast<std::uint32_t>(p.number())),
      mtu_(static_cast<std::uint32_t>(p.mtu().bytes)),
      memory_bytes_(p.memory().bytes),
      lose_(p.lose()),
      tx_limit_(p.tx_buffer().bytes / classes),
      carries_data_(sim().settings().carries_data),
      directory_(sim().service<gather_directory>()),
      endpoint_(sim().service<fabric>().add_endpoint(*this, p.base().value, p.size().bytes,
                                                     packet_order::none)),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      memory_("memory", *this),
      buffers_(sim(), this->path(), memory_.socket()),
      memory_port_(*this, "memory", memory_.socket()),
      events_(*this, regs_),
      port_(*this, *this, "port", 0),
      cache_(cache_of(p)),
      cleared_(timed_call::to<rig, &rig::end_clearing>(*this)),
      writes_(due_batches<property_written>::to<rig, &rig::end_writes>(*this)),
      reads_(due_batches<property_read>::to<rig, &rig::end_reads>(*this)),
      arrival_(timed_call::to<rig, &rig::arrive>(*this)),
      concatenator_(*this, concatenation_of(p)),
      wake_(timed_call::to<rig, &rig::transmit>(*this)),
      no_data_(sim().service<no_data>().room_for(std::max<std::uint64_t>(p.mtu().bytes, 512))) {
  if (!directory_.add(number_, endpoint_))
    throw user_error(fmt::format("{}: there is a node {} already", path(), number_));
  concatenator::check(concatenator_.settings(), path());
  check_class_buffer(path(), "tx_buffer", p.tx_buffer().bytes, mtu_);
  sim().service<fabric>().expect_packets_of(mtu_);
  limits = limits_of(p);
  settings.node = number_;
  const int units = static_cast<int>(p.units()), pairs = cache_of(p).pairs;
  clients_ = (1U << pairs) - 1;
  const trace_scope scope(sim().trace(), path());
  rig_client::listener& of_clients = *this;
  rig_server::listener& of_servers = *this;
  rig_hub& hub = *this;
  for (int i = 0; i < units; ++i) {
    clients_of_.push_back(std::make_unique<rig_client>(of_clients, hub, i, i % pairs));
    servers_.push_back(std::make_unique<rig_server>(of_servers, hub, i));
    state_traces_.push_back(
        scope.state<state>("unit_" + std::to_string(i), rig_regs::unit_status_state_names()));
    state_traces_.back().set(state::IDLE, 0);
  }
  waiting_trace_ = scope.vector("tx_bytes", 32);
  waiting_trace_.set(0, 0);
  arrived_trace_ = scope.vector("rx_packets", 16);
  arrived_trace_.set(0, 0);
  set_up_registers();
}

void rig::on_connected() {
  if (!port_.is_bound()) throw user_error(port_.path() + " is not connected");
  if (port_.buffer_bytes() < mtu_)
    throw user_error(fmt::format("{}: the link's buffer of {} B holds no packet of {} B",
                                 port_.path(), port_.buffer_bytes(), mtu_));
  port_.trace_wire();
  concatenator_.set_queues(classes * directory_.nodes());
  asked_.resize(directory_.nodes());
}

fs_t rig::access_host(tlm::tlm_command command, std::uint64_t address, std::byte* data,
                      std::uint32_t bytes, fs_t when, std::uint32_t each) {
  const fs_t now = now_fs();
  const auto [done, is_ok] = memory_.access(command, address, data ? data : no_data_, bytes,
                                            std::max(when, now), data != nullptr, {}, each);
  if (!is_ok) return fs_never;
  return done - (when < now ? now - when : 0);
}

fs_t rig::read_host(std::uint64_t address, std::byte* to, std::uint32_t bytes, fs_t when,
                    std::uint32_t each) {
  return access_host(tlm::TLM_READ_COMMAND, address, to, bytes, when, each);
}

fs_t rig::write_host(std::uint64_t address, const std::byte* from, std::uint32_t bytes, fs_t when) {
  return access_host(tlm::TLM_WRITE_COMMAND, address, const_cast<std::byte*>(from), bytes, when);
}

void rig::completed(int at) {
  ++counters_.commands;
  note_counts(at);
  const auto bank = regs_.unit[static_cast<std::size_t>(at)];
  bank.completed.add(1);
  show_state(at, state::IDLE);
  if (directory_.on_batch) directory_.on_batch(number_, bank.indices.value(), now_fs());
  raise_interrupt(at, false);
}

void rig::failed(int at, rig_failure why) {
  static constexpr error codes[] = {error::NONE, error::TIMEOUT, error::BAD_INDEX, error::BUS,
                                    error::LENGTH};
  ++counters_.failures;
  note_counts(at);
  regs_.unit[static_cast<std::size_t>(at)].status.error.set(codes[static_cast<int>(why)]);
  show_state(at, state::FAILED);
  raise_interrupt(at, true);
  take_apart_all();
}

void rig::writes(int at, std::uint32_t slot, std::uint32_t epoch, std::uint64_t index, fs_t until) {
  writes_.push(rounded(until), {at, slot, epoch, index, until});
}

void rig::end_writes() {
  const auto client_of = [this](const property_written& due) {
    return clients_of_[static_cast<std::size_t>(due.number)].get();
  };
  writes_.take_due(
      now_fs(),
      [&](const property_written& due) {
        client_of(due)->written(due.slot, due.epoch, due.index, due.when);
      },
      [&](const property_written& next) {
        client_of(next)->prefetch(next.slot, next.index);
        filter.prefetch(next.index);
      });
  if (!lanes_[1].packets.empty()) take_apart(lanes_[1]);
}

void rig::reads(int at, const served_property& property) {
  reads_.push(rounded(property.ready), {at, property});
}

void rig::read_failed(int at, std::uint64_t property, std::uint64_t address) {
  regs_.report(
      regs_.property_base,
      fmt::format("server {} looks for property {} at {:#x}, where the host answers with a "
                  "bus error: the properties of this node do not lie where this says",
                  at, property, address));
}

void rig::end_reads() {
  const auto server_of = [this](const property_read& due) {
    return servers_[static_cast<std::size_t>(due.number)].get();
  };
  reads_.take_due(
      now_fs(), [&](const property_read& due) { server_of(due)->answer(due.property); },
      [&](const property_read& next) { __builtin_prefetch(server_of(next)); });
  if (!lanes_[0].packets.empty()) take_apart(lanes_[0]);
}

std::string rig::waiting_for() const {
  std::string text;
  for (std::size_t at = 0; at < clients_of_.size(); ++at) {
    const rig_client& each = *clients_of_[at];
    if (!each.is_running()) continue;
    text +=
        fmt::format("{}unit {} for {} properties", text.empty() ? "" : ", ", at, each.pending());
  }
  return text;
}

}  // namespace heddle
