#include "platform/registers/register_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/registers/byte_lanes.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "payloads hold host-endian words");

constexpr std::uint32_t no_slot = UINT32_MAX;

void add_bits(register_slot& slot, register_access access, std::uint64_t bits) {
  if (is_readable(access)) slot.read_bits |= bits;
  if (access == register_access::RW || access == register_access::WO) slot.write_bits |= bits;
  if (access == register_access::W1C) slot.clear_bits |= bits;
  if (access == register_access::W1S) slot.set_bits |= bits;
  if (access == register_access::RC) slot.read_clear_bits |= bits;
}

register_slot make_slot(const register_description& description) {
  register_slot slot;
  slot.description = &description;
  slot.bytes = static_cast<std::uint8_t>(description.width / 8);
  slot.value = description.reset;
  for (const field_description& field : description.fields) {
    add_bits(slot, field.access, field.mask());
  }
  if (description.fields.size() == 0) {
    add_bits(slot, description.access, ~std::uint64_t{0} >> (64 - description.width));
  }
  const register_sync sync = description.sync;
  slot.is_readable = slot.read_bits != 0;
  slot.is_writable = (slot.write_bits | slot.clear_bits | slot.set_bits) != 0;
  slot.syncs_reads = sync == register_sync::read || sync == register_sync::always;
  slot.syncs_writes = sync == register_sync::write || sync == register_sync::always;
  for (const register_rule& rule : description.rules) {
    (rule.kind == rule_kind::only_while ? slot.has_rules : slot.has_contract) = true;
  }
  // Reserved bits, and values without a name.
  slot.has_contract = slot.has_contract || description.fields.size() != 0;
  return slot;
}

// What a loosely timed initiator has run ahead passes now, so that the access meets the others in
// the right order. Only a thread can wait.
void synchronize(sc_core::sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME) return;
  if (sc_core::sc_get_current_process_handle().proc_kind() != sc_core::SC_THREAD_PROC_) return;
  const cause_aside while_waiting;
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
}

}  // namespace

register_file::register_file(const register_file_description& description, std::string path,
                             register_audit_log& audit)
    : description_(description),
      path_(std::move(path)),
      audit_(audit),
      slot_of_word_(description.size / 4, no_slot) {
  std::size_t count = description.registers.size();
  for (const register_array_description& array : description.arrays) {
    count += array.count * array.registers.size();
  }
  slots_.reserve(count);
  add_registers(description.registers, 0, nullptr, 0);
  for (const register_array_description& array : description.arrays) {
    for (std::uint32_t element = 0; element < array.count; ++element) {
      add_registers(array.registers, array.offset + element * array.stride, &array, element);
    }
  }
}

register_file::register_file(const register_file_description& description,
                             const unit_context& context)
    : register_file(description, context.path, context.sim.service<register_audit_log>()) {
  sim_ = &context.sim;
  severity_ = sim_->settings().contracts.of(path_);
  sim_->service<register_directory>().files.push_back(this);
  if (!sim_->settings().covers_registers) return;
  coverage_.reserve(slots_.size());
  for (register_slot& each : slots_)
    each.wanted_hooks().coverage = &coverage_.emplace_back(*each.description);
}

void register_file::add_registers(const constant_list<register_description>& registers,
                                  std::uint32_t offset, const register_array_description* array,
                                  std::uint32_t element) {
  const auto first = static_cast<std::uint32_t>(slots_.size());
  for (const register_description& description : registers) {
    const auto index = static_cast<std::uint32_t>(slots_.size());
    register_slot slot = make_slot(description);
    slot.offset = offset + description.offset;
    slot.array = array;
    slot.element = element;
    slot.first_of_element = first;
    for (std::uint32_t at = 0; at < slot.bytes; at += 4) {
      slot_of_word_[(slot.offset + at) / 4] = index;
    }
    slots_.push_back(std::move(slot));
  }
}

void register_file::restore_reset_values() {
  for (register_slot& slot : slots_) {
    slot.value = slot.description->reset;
    slot.last_write = 0;
    slot.show();
  }
}

bool register_file::trace(trace_stream& stream, const std::vector<std::string>& patterns) {
  bool is_any = false;
  for (register_slot& slot : slots_) {
    const std::string name = path_ + "." + name_of(slot);
    const auto matches = [&](const std::string& each) { return glob_match(each, name); };
    if (std::none_of(patterns.begin(), patterns.end(), matches)) continue;
    is_any = true;
    if (slot.hooks && slot.hooks->trace) continue;  // by another glob
    std::string scope = path_ + ".registers";
    if (slot.array) scope += fmt::format(".{}[{}]", slot.array->name, slot.element);
    slot.wanted_hooks().trace =
        std::make_unique<slot_trace>(*slot.description, trace_scope(stream, scope));
    slot.hooks->trace->show(slot.value);
  }
  return is_any;
}

[[gnu::always_inline]] inline void register_file::read(register_slot& from, unsigned shift,
                                                       std::uint64_t lanes,
                                                       tlm::tlm_generic_payload& payload) {
  if (from.hooks) {
    if (from.hooks->before_read) from.value = from.hooks->before_read() & from.known_bits();
    if (running_cause::now()) running_cause::see(from.hooks->set_by);
    if (from.hooks->coverage) from.hooks->coverage->read(from.value);
  }
  const std::uint64_t visible = (from.value & from.read_bits) >> shift;
  from.value &= ~(from.read_clear_bits & (lanes << shift));
  if (from.hooks && from.hooks->trace) from.hooks->trace->show(from.value);
  store_lanes(payload, lanes, visible);
}

template <bool is_firmware>
[[gnu::always_inline]] inline void register_file::transport(tlm::tlm_generic_payload& payload,
                                                            sc_core::sc_time& delay,
                                                            access_origin* origin) {
  const bool is_write = payload.is_write();
  if (!is_write && !payload.is_read()) return refuse(payload, delay, refusal::command, nullptr);
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (length != 4 && length != 8) return refuse(payload, delay, refusal::length, nullptr);
  if (payload.get_streaming_width() < length) {
    return refuse(payload, delay, refusal::streaming, nullptr);
  }
  if (payload.get_data_ptr() == nullptr) {
    return refuse(payload, delay, refusal::data_pointer, nullptr);
  }
  if (address % length != 0) return refuse(payload, delay, refusal::alignment, nullptr);
  const std::uint64_t word = address / 4;
  const std::uint32_t index = word < slot_of_word_.size() ? slot_of_word_[word] : no_slot;
  if (index == no_slot) return refuse(payload, delay, refusal::no_register, nullptr);

  register_slot& slot = slots_[index];
  if constexpr (is_firmware) origin->slot = &slot;
  const auto at = static_cast<unsigned>(address - slot.offset);
  if (at + length > slot.bytes) {
    return refuse(payload, delay, refusal::several_registers, &slot);
  }
  std::uint64_t lanes = ~std::uint64_t{0} >> (64 - 8 * length);
  if (payload.get_byte_enable_ptr() != nullptr && !read_byte_lanes(payload, lanes)) {
    return refuse(payload, delay, refusal::byte_enable, &slot);
  }
  if (is_write) {
    if (!slot.is_writable) return refuse(payload, delay, refusal::read_only, &slot);
    if (slot.syncs_writes) synchronize(delay);
    if (slot.has_rules && !allows_write(slot)) return refuse(payload, delay, refusal::rule, &slot);
    if constexpr (is_firmware)
      if (!admit(slot, 8 * at, lanes, payload, delay, *origin)) return;
    if (lanes != 0) write(slot, 8 * at, lanes, payload);
  } else {
    if (!slot.is_readable) return refuse(payload, delay, refusal::write_only, &slot);
    if (slot.syncs_reads) synchronize(delay);
    if (lanes != 0) read(slot, 8 * at, lanes, payload);
    if constexpr (is_firmware) remember(payload, delay, *origin);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// Kept out of the way of all others, which are many and short.
[[gnu::noinline]] void register_file::transport_of(access_origin& origin,
                                                   tlm::tlm_generic_payload& payload,
                                                   sc_core::sc_time& delay) {
  meet(origin, payload, delay);
  transport<true>(payload, delay, &origin);
}

void register_file::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  access_origin* const origin = payload.get_extension<access_origin>();
  if (__builtin_expect(origin != nullptr, 0)) return transport_of(*origin, payload, delay);
  transport<false>(payload, delay, nullptr);
}

void register_file::write(register_slot& to, unsigned shift, std::uint64_t lanes,
                          tlm::tlm_generic_payload& payload) {
  std::uint64_t data = 0;
  std::memcpy(&data, payload.get_data_ptr(), payload.get_data_length());
  data <<= shift;
  lanes <<= shift;
  // What the others of its bytes hold now, where the model computes that.
  const bool is_whole = lanes == ~std::uint64_t{0} >> (64 - 8 * to.bytes);
  const std::uint64_t before = is_whole ? to.value : to.peek();
  const std::uint64_t taken = to.write_bits & lanes;
  std::uint64_t now = (before & ~taken) | (data & taken);
  now &= ~(data & lanes & to.clear_bits);
  now |= data & lanes & to.set_bits;
  to.value = now;
  to.last_write = ++writes_;
  if (!to.hooks) return;
  if (to.hooks->coverage) to.hooks->coverage->write(data, lanes);
  if (to.hooks->trace) to.hooks->trace->show(now);
  to.hooks->wake_pollers();
  if (to.hooks->after_write) to.hooks->after_write(before, now);
}

const register_slot& register_file::other(const register_slot& ruled, const register_rule& rule,
                                          std::size_t which) const {
  const register_reference& to = rule.registers[which];
  return slots_[(to.in_same_element ? ruled.first_of_element : 0) + to.register_index];
}

bool register_file::holds(const register_slot& ruled, const register_rule& rule) const {
  const register_slot& about = other(ruled, rule);
  const field_description& field = about.description->fields[rule.field_index];
  const std::uint64_t value = (about.value & field.mask()) >> field.low;
  for (const std::uint64_t named : rule.values) {
    if (value == named) return true;
  }
  return false;
}

bool register_file::allows_write(const register_slot& ruled) const {
  for (const register_rule& rule : ruled.description->rules) {
    if (rule.kind == rule_kind::only_while && !holds(ruled, rule)) return false;
  }
  return true;
}

}  // namespace heddle
