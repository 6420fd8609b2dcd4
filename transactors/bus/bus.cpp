#include "transactors/bus/bus.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(memory_bus, describe_unit<memory_bus>("bus", "memory-plane router: decodes "
                                                                  "addresses to targets"));

}  // namespace

std::vector<port_description> memory_bus::port_descriptions() {
  return {{"in", "memory target", "any number of initiators"},
          {"map entries", "memory initiator", "one for each range of the netlist's `map`"}};
}

memory_bus::memory_bus(const unit_context& context, const parameters& p)
    : unit(context),
      latency_(to_sc_time(p.latency().fs)),
      target_("in"),
      target_port_(*this, "in", target_, true) {
  target_.register_b_transport(this, &memory_bus::b_transport);
  target_.register_transport_dbg(this, &memory_bus::transport_dbg);
  target_.register_get_direct_mem_ptr(this, &memory_bus::get_direct_mem_ptr);
  target_.register_nb_transport_fw(this, &memory_bus::nb_transport_fw);
}

port& memory_bus::add_target(const bus_range& range) {
  const auto tag = static_cast<int>(ranges_.size());
  const std::string name = fmt::format("range_{}", tag);
  const building_inside owning(*this);
  auto& socket = sockets_.emplace_back(std::make_unique<range_socket>(name.c_str()));
  socket->register_nb_transport_bw(this, &memory_bus::nb_transport_bw, tag);
  socket->register_invalidate_direct_mem_ptr(this, &memory_bus::invalidate_direct_mem_ptr, tag);
  ranges_.push_back(range);
  return *range_ports_.emplace_back(std::make_unique<memory_initiator_port>(*this, name, *socket));
}

port& memory_bus::add_range(std::uint64_t base, std::uint64_t size, bool is_absolute) {
  const bus_range range{base, base + size - 1, is_absolute};
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const bus_range& other = ranges_[i];
    if (static_cast<int>(i) == default_target_) continue;
    if (range.base <= other.last && other.base <= range.last)
      throw user_error(fmt::format("{:#x}..{:#x} overlaps {:#x}..{:#x} in the map of {}", range.base,
                                   range.last, other.base, other.last, path()));
  }
  return add_target(range);
}

port& memory_bus::add_default_range() {
  default_target_ = static_cast<int>(ranges_.size());
  return add_target({1, 0, true});  // an empty range: nothing decodes to it by itself
}

int memory_bus::route(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  int target = no_target;
  if (last_hit_ < static_cast<int>(ranges_.size()) && ranges_[last_hit_].base <= address &&
      address <= ranges_[last_hit_].last) {
    target = last_hit_;
  } else {
    for (std::size_t i = 0; i < ranges_.size() && target == no_target; ++i)
      if (ranges_[i].base <= address && address <= ranges_[i].last) target = static_cast<int>(i);
    if (target == no_target) target = default_target_;
    if (target == no_target) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return no_target;
    }
    last_hit_ = target;
  }
  if (!ranges_[target].is_absolute) payload.set_address(address - ranges_[target].base);
  return target;
}

// Debug accesses are none of the hardware's: they do not count.
void memory_bus::count(int target) {
  ++(target == no_target ? counters_.decode_errors : counters_.accesses);
}

void memory_bus::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const int target = route(payload);
  count(target);
  if (target == no_target) return;
  delay += latency_;
  (*sockets_[target])->b_transport(payload, delay);
  payload.set_address(address);
}

unsigned memory_bus::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const int target = route(payload);
  if (target == no_target) return 0;
  const unsigned bytes = (*sockets_[target])->transport_dbg(payload);
  payload.set_address(address);
  return bytes;
}

bool memory_bus::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const int target = route(payload);
  if (target == no_target) return false;
  const bool granted = (*sockets_[target])->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  const bus_range& range = ranges_[target];
  if (!range.is_absolute) {
    dmi.set_start_address(dmi.get_start_address() + range.base);
    dmi.set_end_address(dmi.get_end_address() > range.last - range.base
                            ? range.last
                            : dmi.get_end_address() + range.base);
  }
  return granted;
}

tlm::tlm_sync_enum memory_bus::nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const int target = route(payload);
  if (phase == tlm::BEGIN_REQ) count(target);
  if (target == no_target) return tlm::TLM_COMPLETED;
  if (phase == tlm::BEGIN_REQ) {
    delay += latency_;
    initiator_of_[&payload] = from;
  }
  const auto result = (*sockets_[target])->nb_transport_fw(payload, phase, delay);
  payload.set_address(address);
  if (result == tlm::TLM_COMPLETED || phase == tlm::END_RESP) initiator_of_.erase(&payload);
  return result;
}

tlm::tlm_sync_enum memory_bus::nb_transport_bw(int, tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const int from = initiator_of_.at(&payload);
  const auto result = target_[from]->nb_transport_bw(payload, phase, delay);
  if (result == tlm::TLM_COMPLETED || phase == tlm::END_RESP) initiator_of_.erase(&payload);
  return result;
}

void memory_bus::invalidate_direct_mem_ptr(int target, sc_dt::uint64 from, sc_dt::uint64 to) {
  const std::uint64_t base = ranges_[target].is_absolute ? 0 : ranges_[target].base;
  for (unsigned i = 0; i < target_.size(); ++i)
    target_[static_cast<int>(i)]->invalidate_direct_mem_ptr(from + base, to + base);
}

}  // namespace heddle
