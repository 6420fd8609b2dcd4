#include "models/nic/pcie/pcie.hpp"

#include <algorithm>

#include "platform/registers/network_registers.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(pcie_bridge, describe_unit<pcie_bridge>("pcie",
                                                             "PCIe bridge between a host and a "
                                                             "device, each direction with a "
                                                             "serializer"));

}  // namespace

std::vector<port_description> pcie_bridge::port_descriptions() {
  return {{"down", "memory target", "what the host asks of the device"},
          {"device", "memory initiator", "registers of the device"},
          {"up", "memory target", "what the device asks of the host"},
          {"host", "memory initiator", "memory of the host"},
          {"irq_in", "interrupt input", "of the device"},
          {"irq", "interrupt output", "the same at the host, a latency later"}};
}

pcie_bridge::pcie_bridge(const unit_context& context, const parameters& p)
    : unit(context),
      rate_(p.rate()),
      latency_(p.latency().fs),
      payload_(static_cast<std::uint32_t>(p.payload().bytes)),
      header_(static_cast<std::uint32_t>(p.header().bytes)),
      down_("down", side{this, false}),
      up_("up", side{this, true}),
      device_("device"),
      host_("host"),
      down_port_(*this, "down", down_),
      up_port_(*this, "up", up_),
      device_port_(*this, device_),
      host_port_(*this, "host", host_),
      interrupt_in_(*this, "irq_in", *this, 0),
      interrupt_out_(*this, "irq"),
      interrupts_(timed_queue<bool>::to<pcie_bridge, &pcie_bridge::deliver_interrupts>(*this)),
      tags_(p.outstanding()) {}

void pcie_bridge::device_port::connect(port& peer, const parameter_set*) {
  auto* target = dynamic_cast<memory_target_port*>(&peer);
  if (!target) refuse_to_bind(peer);
  if (target->is_bound() && !target->is_shared())
    throw user_error(target->path() + " is bound already and takes one initiator");
  socket_.bind(target->socket_for_initiator());
  device_ = &target->owner();
  mark_bound();
  target->mark_bound();
}

// Cores of the host find the device's registers behind the bridge, at the same offsets.
void pcie_bridge::on_connected() {
  sim().service<network_registers>().behind[path()] = [this] {
    std::vector<network_register_file> found;
    for (const register_file* each : sim().service<register_directory>().files)
      if (each->path() == device_port_.device()->path()) found.push_back({each, 0});
    return found;
  };
}

fs_t pcie_bridge::on_wire(std::uint32_t bytes) const {
  const std::uint32_t transactions = (bytes + payload_ - 1) / payload_;
  return rate_.duration(bytes + std::max(transactions, 1U) * header_);
}

// When the last of the bytes that are there at `from` has arrived at the host.
fs_t pcie_bridge::carry_up(std::uint32_t bytes, fs_t from) {
  const fs_t taken = on_wire(bytes);
  up_free_at_ = std::max(up_free_at_, from) + taken;
  counters_.bytes_up += bytes;
  counters_.busy_up += taken;
  return up_free_at_ + latency_;
}

fs_t pcie_bridge::carry_down(std::uint32_t bytes, fs_t from) {
  const fs_t taken = on_wire(bytes);
  down_free_at_ = std::max(down_free_at_, from) + taken;
  counters_.bytes_down += bytes;
  counters_.busy_down += taken;
  return down_free_at_ + latency_;
}

fs_t pcie_bridge::await_tags(std::size_t wanted, fs_t from) {
  fs_t free_at = from;
  for (std::size_t i = 0, at = next_tag_; i < wanted; ++i, at = at + 1 == tags_.size() ? 0 : at + 1)
    free_at = std::max(free_at, tags_[at]);
  if (free_at > from) ++counters_.read_stalls;
  return free_at;
}

void pcie_bridge::keep_tags(std::size_t taken, fs_t until) {
  for (; taken > 0; --taken) {
    tags_[next_tag_] = until;
    next_tag_ = next_tag_ + 1 == tags_.size() ? 0 : next_tag_ + 1;
  }
}

void pcie_bridge::from_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const fs_t now = now_fs(), start = now + to_fs(delay);
  const std::uint32_t bytes = payload.get_data_length();
  const bool is_read = payload.is_read();
  std::size_t reads = 0;
  if (is_read) {
    const auto* const bulk = payload.get_extension<bulk_extension>();
    const std::uint32_t each = bulk && bulk->packet_bytes > 0 ? bulk->packet_bytes : bytes;
    reads = std::min<std::size_t>((bytes + each - 1) / std::max(each, 1U), tags_.size());
  }
  const fs_t asked = carry_up(is_read ? 0 : bytes, await_tags(reads, start));
  delay = to_sc_time(asked - now);
  host_->b_transport(payload, delay);
  const fs_t performed = now + to_fs(delay);
  const fs_t done = is_read ? carry_down(bytes, performed) : performed + latency_;
  keep_tags(reads, done);
  delay = to_sc_time(done - now);
}

// Words for registers: a write is posted, a read comes back.
void pcie_bridge::from_host(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint32_t bytes = payload.get_data_length();
  const bool is_read = payload.is_read();
  const fs_t down = on_wire(is_read ? 0 : bytes);
  delay += to_sc_time(down + latency_);
  counters_.busy_down += down;
  if (!is_read) counters_.bytes_down += bytes;
  device_->b_transport(payload, delay);
  if (!is_read) return;
  const fs_t up = on_wire(bytes);
  counters_.bytes_up += bytes;
  counters_.busy_up += up;
  delay += to_sc_time(up + latency_);
}

void pcie_bridge::side::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_up)
    owner->from_device(payload, delay);
  else
    owner->from_host(payload, delay);
}

unsigned pcie_bridge::side::transport_dbg(tlm::tlm_generic_payload& payload) {
  return is_up ? owner->host_->transport_dbg(payload) : owner->device_->transport_dbg(payload);
}

bool pcie_bridge::side::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.allow_none();
  return false;
}

tlm::tlm_sync_enum pcie_bridge::side::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

void pcie_bridge::set_interrupt(int, bool is_up) {
  interrupts_.push(now_fs() + latency_, is_up);
}

void pcie_bridge::deliver_interrupts() {
  for (bool is_up = false; interrupts_.pop_due(now_fs(), is_up);) interrupt_out_.set(is_up);
}

}  // namespace heddle
