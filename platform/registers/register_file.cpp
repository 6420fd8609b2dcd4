#include "platform/registers/register_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/registers/byte_mask.hpp"
#include "platform/registers/existing_bits.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/time/agenda.hpp"
#include "platform/time/thread_wait.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "payloads hold host-endian words");

constexpr std::uint32_t no_cell = UINT32_MAX;

void add_bits(register_cell& cell, register_access access, std::uint64_t bits) {
  if (is_readable(access)) cell.read_bits |= bits;
  if (access == register_access::RW || access == register_access::WO) cell.write_bits |= bits;
  if (access == register_access::W1C) cell.clear_bits |= bits;
  if (access == register_access::W1S) cell.set_bits |= bits;
  if (access == register_access::RC) cell.read_clear_bits |= bits;
}

register_cell make_cell(const register_description& description) {
  register_cell cell;
  cell.description = &description;
  cell.bytes = static_cast<std::uint8_t>(description.width / 8);
  cell.value = description.reset;
  for (const field_description& field : description.fields) {
    add_bits(cell, field.access, field.mask());
  }
  if (description.fields.size() == 0) {
    add_bits(cell, description.access, ~std::uint64_t{0} >> (64 - description.width));
  }
  const register_sync sync = description.sync;
  cell.is_readable = cell.read_bits != 0;
  cell.is_writable = (cell.write_bits | cell.clear_bits | cell.set_bits) != 0;
  cell.syncs_reads = sync == register_sync::read || sync == register_sync::always;
  cell.syncs_writes = sync == register_sync::write || sync == register_sync::always;
  cell.reads_plainly = cell.is_readable && !cell.syncs_reads && cell.read_clear_bits == 0;
  for (const register_rule& rule : description.rules) {
    (rule.kind == rule_kind::only_while ? cell.has_rules : cell.has_contract) = true;
  }
  // Reserved bits, values without a name, flags that are cleared unseen.
  cell.has_contract = cell.has_contract || description.fields.size() != 0 || cell.clear_bits != 0;
  return cell;
}

// What waves put in front of the fields of a register. The field `error` of `status` is
// "status_error", or "status__error" beside a register that is called status_error: names of the
// description have no two underscores in a row.
std::string name_in_waves(const register_description& of,
                          const constant_list<register_description>& beside) {
  std::string name(of.name);
  for (const field_description& field : of.fields)
    for (const register_description& other : beside)
      if (other.fields.size() == 0 && other.name == fmt::format("{}_{}", name, field.name))
        return name + "_";
  return name;
}

// What a loosely timed initiator has run ahead passes now, so that the access meets the others in
// the right order. Only a thread can wait.
void synchronize(sc_core::sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME) return;
  if (sc_core::sc_get_current_process_handle().proc_kind() != sc_core::SC_THREAD_PROC_) return;
  const cause_aside while_waiting;
  wait_until(now_fs() + to_fs(delay));
  delay = sc_core::SC_ZERO_TIME;
}

}  // namespace

register_file::register_file(const register_file_description& description, std::string path,
                             register_audit_log& audit)
    : description_(description),
      path_(std::move(path)),
      audit_(audit),
      cell_of_word_(description.size / 4, no_cell) {
  agenda::instance();  // a module, by which threads wait: it has to exist before elaboration ends
  std::size_t count = description.registers.size();
  for (const register_array_description& array : description.arrays) {
    count += array.count * array.registers.size();
  }
  cells_.reserve(count);
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
  coverage_.reserve(cells_.size());
  for (register_cell& each : cells_)
    each.wanted_hooks().coverage = &coverage_.emplace_back(*each.description);
}

void register_file::add_registers(const constant_list<register_description>& registers,
                                  std::uint32_t offset, const register_array_description* array,
                                  std::uint32_t element) {
  const auto first = static_cast<std::uint32_t>(cells_.size());
  for (const register_description& description : registers) {
    const auto index = static_cast<std::uint32_t>(cells_.size());
    register_cell cell = make_cell(description);
    cell.offset = offset + description.offset;
    cell.array = array;
    cell.element = element;
    cell.first_of_element = first;
    for (std::uint32_t at = 0; at < cell.bytes; at += 4) {
      cell_of_word_[(cell.offset + at) / 4] = index;
    }
    cells_.push_back(std::move(cell));
  }
}

bool register_file::trace(trace_stream& stream, const std::vector<std::string>& patterns) {
  bool is_any = false;
  for (register_cell& cell : cells_) {
    const std::string name = path_ + "." + name_of(cell);
    const auto matches = [&](const std::string& each) { return glob_match(each, name); };
    if (!exists(cell) || std::none_of(patterns.begin(), patterns.end(), matches)) continue;
    is_any = true;
    if (cell.hooks && cell.hooks->trace) continue;  // by another glob
    std::string scope = path_ + ".registers";
    if (cell.array) scope += fmt::format(".{}[{}]", cell.array->name, cell.element);
    const std::string shown = name_in_waves(
        *cell.description, cell.array ? cell.array->registers : description_.registers);
    register_description described = *cell.description;
    described.name = shown;
    cell.wanted_hooks().trace = std::make_unique<cell_trace>(described, trace_scope(stream, scope));
    cell.hooks->trace->show(cell.value);
  }
  return is_any;
}

void register_file::read(register_cell& from, unsigned shift, std::uint64_t enabled,
                         tlm::tlm_generic_payload& payload) {
  if (from.hooks) {
    if (from.hooks->before_read) from.value = from.hooks->before_read() & from.known_bits();
    if (running_cause::now()) running_cause::see(from.hooks->set_by);
    if (from.hooks->coverage) from.hooks->coverage->read(from.value);
  }
  const std::uint64_t visible = (from.value & from.read_bits) >> shift;
  from.value &= ~(from.read_clear_bits & (enabled << shift));
  if (from.hooks && from.hooks->trace) from.hooks->trace->show(from.value);
  store_enabled(payload, enabled, visible);
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
  if ((address & (length - 1)) != 0) return refuse(payload, delay, refusal::alignment, nullptr);
  const std::uint64_t word = address / 4;
  const std::uint32_t index = word < cell_of_word_.size() ? cell_of_word_[word] : no_cell;
  if (index == no_cell) return refuse(payload, delay, refusal::no_register, nullptr);

  register_cell& cell = cells_[index];
  if constexpr (is_firmware) origin->cell = &cell;
  const auto at = static_cast<unsigned>(address - cell.offset);
  if (at + length > cell.bytes) {
    return refuse(payload, delay, refusal::several_registers, &cell);
  }
  const bool is_plain = !is_write && cell.reads_plainly && !payload.get_byte_enable_ptr();
  if (!is_plain) return perform<is_firmware>(cell, 8 * at, payload, delay, origin);
  store_word(payload, (cell.value & cell.read_bits) >> (8 * at));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if constexpr (is_firmware) remember(payload, delay, *origin);
}

// An access that does more than take the value of the register.
template <bool is_firmware>
[[gnu::noinline]] void register_file::perform(register_cell& cell, unsigned shift,
                                              tlm::tlm_generic_payload& payload,
                                              sc_core::sc_time& delay, access_origin* origin) {
  std::uint64_t enabled = ~std::uint64_t{0} >> (64 - 8 * payload.get_data_length());
  if (payload.get_byte_enable_ptr() != nullptr && !read_byte_mask(payload, enabled)) {
    return refuse(payload, delay, refusal::byte_enable, &cell);
  }
  if (payload.is_write()) {
    if (!cell.is_writable) return refuse(payload, delay, refusal::read_only, &cell);
    if (cell.syncs_writes) synchronize(delay);
    if (cell.has_rules && !allows_write(cell)) return refuse(payload, delay, refusal::rule, &cell);
    if constexpr (is_firmware)
      if (!admit(cell, shift, enabled, payload, delay, *origin)) return;
    const sc_core::sc_time* const outer = std::exchange(write_delay_, &delay);
    if (enabled != 0) write(cell, shift, enabled, payload);
    write_delay_ = outer;
  } else {
    if (!cell.is_readable) return refuse(payload, delay, refusal::write_only, &cell);
    if (cell.syncs_reads) synchronize(delay);
    if (enabled != 0) read(cell, shift, enabled, payload);
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

void register_file::write(register_cell& to, unsigned shift, std::uint64_t enabled,
                          tlm::tlm_generic_payload& payload) {
  const std::uint64_t data = load_word(payload) << shift;
  enabled <<= shift;
  // The bytes that are not written keep what they hold, which the model may compute.
  const bool is_whole = enabled == ~std::uint64_t{0} >> (64 - 8 * to.bytes);
  const std::uint64_t before = is_whole ? to.value : to.peek();
  const std::uint64_t taken = to.write_bits & enabled;
  std::uint64_t now = (before & ~taken) | (data & taken);
  now &= ~(data & enabled & to.clear_bits);
  now |= data & enabled & to.set_bits;
  to.value = now;
  to.last_write = ++writes_;
  if (!to.hooks) return;
  if (to.hooks->coverage) to.hooks->coverage->write(data, enabled);
  if (to.hooks->trace) to.hooks->trace->show(now);
  to.hooks->wake_pollers();
  if (to.hooks->after_write) to.hooks->after_write(before, now);
}

const register_cell& register_file::other(const register_cell& ruled, const register_rule& rule,
                                          std::size_t which) const {
  const register_reference& to = rule.registers[which];
  return cells_[(to.in_same_element ? ruled.first_of_element : 0) + to.register_index];
}

bool register_file::holds(const register_cell& ruled, const register_rule& rule) const {
  const register_cell& about = other(ruled, rule);
  const field_description& field = about.description->fields[rule.field_index];
  const std::uint64_t value = (about.peek() & field.mask()) >> field.low;
  for (const std::uint64_t named : rule.values) {
    if (value == named) return true;
  }
  return false;
}

bool register_file::allows_write(const register_cell& ruled) const {
  for (const register_rule& rule : ruled.description->rules) {
    if (rule.kind == rule_kind::only_while && !holds(ruled, rule)) return false;
  }
  return true;
}

}  // namespace heddle
