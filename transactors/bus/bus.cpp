#include "transactors/bus/bus.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/number/power_of_two.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(memory_bus, describe_unit<memory_bus>("bus",
                                                           "memory-plane router: decodes "
                                                           "addresses to targets"));

// Whether all of the data goes to the same few addresses, and those end with `last` or before.
bool streams_up_to(std::uint64_t last, const tlm::tlm_generic_payload& payload) {
  const unsigned width = payload.get_streaming_width();
  return width > 0 && width < payload.get_data_length() &&
         width - 1 <= last - payload.get_address();
}

}  // namespace

std::vector<port_description> memory_bus::port_descriptions() {
  return {{"in", "memory target", "any number of initiators"},
          {"map entries", "memory initiator", "one for each range of the netlist's `map`"}};
}

memory_bus::memory_bus(const unit_context& context, const parameters& p)
    : unit(context),
      latency_(to_sc_time(p.latency().fs)),
      target_port_(*this, "in", [this]() -> memory_target_base& { return add_input(); }),
      exchange_(*this, [this](int from) {
        return (*inputs_[static_cast<std::size_t>(from)]).operator->();
      }) {}

memory_target_base& memory_bus::add_input() {
  const building_inside owning(*this);
  const auto from = static_cast<int>(inputs_.size());
  const std::string name = fmt::format("in_{}", from);
  return *inputs_.emplace_back(
      std::make_unique<direct_target_socket<input>>(name.c_str(), input{this, from}));
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
  const bus_range range{base, base + size - 1, is_absolute ? 0 : base};
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const bus_range& other = ranges_[i];
    if (static_cast<int>(i) == default_target_) continue;
    if (range.base <= other.last && other.base <= range.last)
      throw user_error(fmt::format("{:#x}..{:#x} overlaps {:#x}..{:#x} in the map of {}",
                                   range.base, range.last, other.base, other.last, path()));
  }
  return add_target(range);
}

port& memory_bus::add_default_range() {
  default_target_ = static_cast<int>(ranges_.size());
  return add_target({1, 0, 0});  // an empty range: nothing decodes to it by itself
}

std::size_t memory_bus::target_of(const port& range) const {
  const auto found = std::find_if(range_ports_.begin(), range_ports_.end(),
                                  [&](const auto& each) { return each.get() == &range; });
  return static_cast<std::size_t>(found - range_ports_.begin());
}

void memory_bus::connected(const port& range, const port& target) {
  next_buses_.resize(range_ports_.size());
  next_buses_[target_of(range)] = dynamic_cast<const memory_bus*>(&target.owner());
}

std::vector<address_interval> memory_bus::addresses_of(std::size_t target) const {
  if (static_cast<int>(target) != default_target_)
    return {{ranges_[target].base, ranges_[target].last}};
  std::vector<bus_range> taken;
  for (std::size_t i = 0; i < ranges_.size(); ++i)
    if (i != target) taken.push_back(ranges_[i]);
  std::sort(taken.begin(), taken.end(),
            [](const bus_range& a, const bus_range& b) { return a.base < b.base; });
  std::vector<address_interval> gaps;
  std::uint64_t next = 0;
  for (const bus_range& each : taken) {
    if (each.base > next) gaps.push_back({next, each.base - 1});
    if (each.last == UINT64_MAX) return gaps;
    next = each.last + 1;
  }
  gaps.push_back({next, UINT64_MAX});
  return gaps;
}

std::vector<address_forwarder::way> memory_bus::ways() const {
  std::vector<way> found;
  for (std::size_t i = 0; i < next_buses_.size(); ++i) {
    if (!next_buses_[i]) continue;
    for (const address_interval& each : addresses_of(i))
      found.push_back({each, ranges_[i].taken_off, next_buses_[i]});
  }
  return found;
}

void memory_bus::check_range(const port& range) {
  const std::size_t target = target_of(range);
  const memory_bus* next = next_buses_[target];
  if (!next) return;
  for (const address_interval& each : addresses_of(target)) {
    const std::string path = endless_path(*this, {each, ranges_[target].taken_off, next});
    if (path.empty()) continue;
    throw user_error(fmt::format("accesses to {:#x}..{:#x} of {} never arrive: they go round by {}",
                                 each.first, each.last, this->path(), path));
  }
}

void memory_bus::end_of_elaboration() {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    tlm::tlm_fw_transport_if<>* const target = sockets_[i]->operator->();
    // A call through `target` itself would first load where this base of it lies.
    const auto blocking = blocking_call::to<tlm::tlm_blocking_transport_if<>>(*target);
    for (const address_interval& each : addresses_of(i)) {
      const bus_range range{each.first, each.last, ranges_[i].taken_off};
      decoded_.push_back({range, target, blocking, static_cast<int>(i)});
    }
  }
  std::sort(decoded_.begin(), decoded_.end(), [](const decoded_range& a, const decoded_range& b) {
    return a.range.base < b.range.base;
  });
  for (const decoded_range& each : decoded_) bases_.push_back(each.range.base);
  const std::size_t size = power_of_two_from(decoded_.size());
  const decoded_range last = decoded_.empty() ? nobody_ : decoded_.back();
  decoded_.resize(size, last);
  bases_.resize(size, UINT64_MAX);
}

// The target of every range is asked what it knows, once.
void memory_bus::start_of_simulation() {
  const auto ask = [](decoded_range& range) {
    if (!range.target) return;
    target_declaration declaration;
    declaration.asked = range.target;
    tlm::tlm_generic_payload asking;
    set_access(asking, tlm::TLM_IGNORE_COMMAND, range.range.base - range.range.taken_off, nullptr,
               0);
    asking.set_extension(&declaration);
    range.target->transport_dbg(asking);
    asking.clear_extension(&declaration);
    range.is_foreign = !declaration.knows_extensions;
    range.completes_at_once = declaration.completes_at_once;
    if (declaration.blocking) range.blocking = declaration.blocking;
  };
  for (decoded_range& each : decoded_) ask(each);
}

// Halves the sorted bases without a branch on the address, which accesses that go here and there
// would mispredict.
const memory_bus::decoded_range& memory_bus::search(std::uint64_t address) {
  const std::uint64_t* first = bases_.data();
  for (std::size_t half = bases_.size() / 2; half > 0; half /= 2)
    first = first[half] <= address ? first + half : first;
  const decoded_range& candidate = decoded_[first - bases_.data()];
  const bool is_inside = candidate.range.base <= address && address <= candidate.range.last;
  if (!is_inside) return nobody_;
  if (candidate.index == default_target_) return candidate;  // displaces no range that was found
  const std::uint64_t page_start = address / page_bytes * page_bytes;
  const bool has_page =
      candidate.range.base <= page_start && page_start + (page_bytes - 1) <= candidate.range.last;
  if (has_page) pages_[address / page_bytes % pages_.size()] = {address / page_bytes, &candidate};
  if (has_page && candidate.range.last - candidate.range.base < pages_.size() * page_bytes)
    return candidate;
  latest_first_ = candidate.range.base;
  latest_last_ = candidate.range.last;
  latest_ = &candidate;
  return candidate;
}

const memory_bus::decoded_range* memory_bus::translate(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const decoded_range& found = decode(address);
  if (!found.target) return nullptr;
  payload.set_address(address - found.range.taken_off);
  return &found;
}

const memory_bus::decoded_range* memory_bus::route(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const decoded_range& found = decode(address);
  const bool ends_inside = payload.get_data_length() - 1 <= found.range.last - address;
  if (!found.blocking || (!ends_inside && !streams_up_to(found.range.last, payload))) {
    ++counters_.decode_errors;
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return nullptr;
  }
  ++counters_.accesses;
  payload.set_address(address - found.range.taken_off);
  return &found;
}

void memory_bus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const decoded_range* target = route(payload);
  if (!target) return;
  delay += latency_;
  if (__builtin_expect(target->is_foreign, 0))
    return exchange_.b_transport({0, target->index, target->target, address, true}, payload, delay);
  target->blocking(payload, delay);
  payload.set_address(address);
}

unsigned memory_bus::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const decoded_range* target = translate(payload);
  if (!target) return 0;
  if (auto* question = payload.get_extension<poll_question>())
    question->pass(*target->target, to_fs(latency_), counters_.accesses);
  const unsigned wanted = payload.get_data_length();
  const std::uint64_t behind_first = target->range.last - address;
  if (wanted > 0 && wanted - 1 > behind_first)
    payload.set_data_length(static_cast<unsigned>(behind_first + 1));
  const unsigned bytes = target->target->transport_dbg(payload);
  payload.set_data_length(wanted);
  payload.set_address(address);
  return bytes;
}

bool memory_bus::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const decoded_range* target = translate(payload);
  if (!target || (target->is_foreign && exchange_.is_locked(target->index))) {
    payload.set_address(address);
    dmi.allow_none();
    // The answer concerns no more than the addresses that no range has.
    std::uint64_t first = target ? address : 0, last = target ? address : UINT64_MAX;
    for (const decoded_range& each : decoded_) {
      if (each.range.last < address) first = std::max(first, each.range.last + 1);
      if (each.range.base > address) last = std::min(last, each.range.base - 1);
    }
    dmi.set_start_address(first);
    dmi.set_end_address(last);
    return false;
  }
  const bool granted = target->target->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  const address_region region =
      on_bus(target->range, {dmi.get_start_address(), dmi.get_end_address()});
  if (granted) {
    dmi.set_dmi_ptr(dmi.get_dmi_ptr() + region.cut_in_front);
    dmi.set_read_latency(dmi.get_read_latency() + latency_);
    dmi.set_write_latency(dmi.get_write_latency() + latency_);
  }
  dmi.set_start_address(region.first);
  dmi.set_end_address(region.last);
  return granted;
}

// A region that a target states, as the initiators see it: no more than the range.
memory_bus::address_region memory_bus::on_bus(const bus_range& range, address_region stated) {
  if (range.taken_off != 0) {
    const std::uint64_t span = range.last - range.base;
    return {range.base + std::min(stated.first, span), range.base + std::min(stated.last, span)};
  }
  const std::uint64_t first = std::max(stated.first, range.base);
  return {first, std::min(stated.last, range.last), first - stated.first};
}

tlm::tlm_sync_enum memory_bus::nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return exchange_.go_on(payload, phase, delay);
  const std::uint64_t address = payload.get_address();
  const decoded_range* target = route(payload);
  if (!target) return tlm::TLM_COMPLETED;
  if (!target->completes_at_once) {
    const sc_core::sc_time as_called = delay;
    delay += latency_;
    const auto result = exchange_.begin(
        {from, target->index, target->target, address, target->is_foreign}, payload, phase, delay);
    if (result == tlm::TLM_ACCEPTED) delay = as_called;  // the caller ignores what is accepted
    return result;
  }
  delay += latency_;
  const auto result = target->target->nb_transport_fw(payload, phase, delay);
  payload.set_address(address);
  return result;
}

tlm::tlm_sync_enum memory_bus::nb_transport_bw(int, tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return exchange_.nb_transport_bw(payload, phase, delay);
}

void memory_bus::invalidate_direct_mem_ptr(int target, sc_dt::uint64 from, sc_dt::uint64 to) {
  // The default target does not know the gaps: what it withdraws may reach over several.
  const bus_range range = target == default_target_ ? bus_range{0, UINT64_MAX, 0} : ranges_[target];
  // Nobody reaches what lies outside of the range.
  if (from > range.last - range.taken_off || to < range.base - range.taken_off) return;
  const address_region region = on_bus(range, {from, to});
  for (const auto& each : inputs_) (*each)->invalidate_direct_mem_ptr(region.first, region.last);
}

}  // namespace heddle
