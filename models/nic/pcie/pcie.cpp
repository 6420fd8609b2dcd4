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
      device_port_(*this, "device", device_),
      host_port_(*this, "host", host_),
      interrupt_in_(*this, "irq_in", *this, 0),
      interrupt_out_(*this, "irq"),
      interrupts_(timed_queue<bool>::to<pcie_bridge, &pcie_bridge::deliver_interrupts>(*this)),
      tags_(p.outstanding()) {
  host_.register_nb_transport_bw(this, &pcie_bridge::of_host);
  device_.register_nb_transport_bw(this, &pcie_bridge::of_device);
}

// Cores of the host find the device's registers behind the bridge, at the same offsets.
void pcie_bridge::on_connected() {
  sim().service<network_registers>().behind[path()] = [this] {
    std::vector<network_register_file> found;
    for (const register_file* each : sim().service<register_directory>().files)
      if (each->path() == device_port_.target()->owner().path()) found.push_back({each, 0});
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

std::size_t pcie_bridge::reads_in(const tlm::tlm_generic_payload& payload) const {
  if (!payload.is_read()) return 0;
  const std::uint32_t bytes = payload.get_data_length();
  const auto* const bulk = payload.get_extension<bulk_extension>();
  const bool is_cut = bulk && bulk->packet_bytes > 0;
  const std::uint32_t each = is_cut ? bulk->packet_bytes : std::max(bytes, 1U);
  const std::uint32_t offset = is_cut ? bulk->packet_offset : 0;
  return std::min<std::size_t>((offset + bytes + each - 1) / each, tags_.size());
}

void pcie_bridge::request_of_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const fs_t now = now_fs(), start = now + to_fs(delay);
  const std::uint32_t bytes = payload.is_read() ? 0 : payload.get_data_length();
  delay = to_sc_time(carry_up(bytes, await_tags(reads_in(payload), start)) - now);
}

void pcie_bridge::respond_to_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const fs_t now = now_fs(), performed = now + to_fs(delay);
  const fs_t done =
      payload.is_read() ? carry_down(payload.get_data_length(), performed) : performed + latency_;
  keep_tags(reads_in(payload), done);
  delay = to_sc_time(done - now);
}

// Words of the host for registers: a write is posted, a read comes back.
void pcie_bridge::request(bool is_up, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_up) return request_of_device(payload, delay);
  const std::uint32_t bytes = payload.is_read() ? 0 : payload.get_data_length();
  const fs_t down = on_wire(bytes);
  delay += to_sc_time(down + latency_);
  counters_.busy_down += down;
  counters_.bytes_down += bytes;
}

void pcie_bridge::respond(bool is_up, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_up) return respond_to_device(payload, delay);
  if (!payload.is_read()) return;
  const fs_t up = on_wire(payload.get_data_length());
  counters_.bytes_up += payload.get_data_length();
  counters_.busy_up += up;
  delay += to_sc_time(up + latency_);
}

tlm::tlm_sync_enum pcie_bridge::nb_transport_fw(bool is_up, tlm::tlm_generic_payload& payload,
                                                tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return beyond(is_up)->nb_transport_fw(payload, phase, delay);
  const sc_core::sc_time as_called = delay;
  request(is_up, payload, delay);
  const auto result = beyond(is_up)->nb_transport_fw(payload, phase, delay);
  if (result == tlm::TLM_ACCEPTED)
    delay = as_called;  // the caller ignores what is accepted
  else if (result == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP)
    respond(is_up, payload, delay);
  return result;
}

tlm::tlm_sync_enum pcie_bridge::of_host(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_RESP) respond(true, payload, delay);
  return up_->nb_transport_bw(payload, phase, delay);
}

tlm::tlm_sync_enum pcie_bridge::of_device(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_RESP) respond(false, payload, delay);
  return down_->nb_transport_bw(payload, phase, delay);
}

void pcie_bridge::side::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  owner->request(is_up, payload, delay);
  owner->beyond(is_up)->b_transport(payload, delay);
  owner->respond(is_up, payload, delay);
}

unsigned pcie_bridge::side::transport_dbg(tlm::tlm_generic_payload& payload) {
  return owner->beyond(is_up)->transport_dbg(payload);
}

bool pcie_bridge::side::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.allow_none();
  return false;
}

tlm::tlm_sync_enum pcie_bridge::side::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
  return owner->nb_transport_fw(is_up, payload, phase, delay);
}

void pcie_bridge::set_interrupt(int, bool is_up) {
  interrupts_.push(now_fs() + latency_, is_up);
}

void pcie_bridge::deliver_interrupts() {
  for (bool is_up = false; interrupts_.pop_due(now_fs(), is_up);) interrupt_out_.set(is_up);
}

}  // namespace heddle
