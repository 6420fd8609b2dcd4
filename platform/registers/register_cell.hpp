// One register of one instance: its bits, what an access does to each of them, and whom it tells.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "platform/contracts/access_origin.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/poll/poll_ledger.hpp"
#include "platform/registers/cell_coverage.hpp"
#include "platform/registers/cell_trace.hpp"
#include "platform/registers/register_description.hpp"

namespace heddle {

struct register_hooks {
  std::function<void(std::uint64_t before, std::uint64_t now)> after_write;
  std::function<std::uint64_t()> before_read;
  cell_coverage* coverage = nullptr;    // where somebody asks for it
  std::unique_ptr<cell_trace> trace;    // the same
  cause set_by;                         // of what the model has set, while the run is explained
  poll_ledger* polls = nullptr;         // where cores sleep until the register changes
  std::uint32_t offset = 0, bytes = 0;  // of the register, for `polls`

  void wake_pollers() const {
    if (polls) polls->changed(offset, bytes);
  }
  void show(std::uint64_t value) const {
    wake_pollers();
    if (coverage) coverage->hold(value);
    if (trace) trace->show(value);
  }
};

struct register_cell {
  // One cache line holds what an access without hooks needs.
  std::uint64_t value = 0;
  std::uint64_t read_bits = 0;        // the others read as 0
  std::uint64_t write_bits = 0;       // take what is written
  std::uint64_t clear_bits = 0;       // cleared by writing 1
  std::uint64_t set_bits = 0;         // set by writing 1
  std::uint64_t read_clear_bits = 0;  // cleared by reading
  std::uint32_t offset = 0;           // from the start of the block
  std::uint8_t bytes = 4;
  bool is_readable = false;
  bool is_writable = false;
  bool syncs_reads = false;
  bool syncs_writes = false;
  bool has_rules = false;      // that bind every initiator
  bool has_contract = false;   // that binds firmware
  bool is_computed = false;    // before_read has no side effects: anybody may ask
  bool reads_plainly = false;  // a read of the register takes the bits, and that is all

  std::unique_ptr<register_hooks> hooks;
  const register_description* description = nullptr;
  const register_array_description* array = nullptr;  // nullptr outside arrays
  std::uint32_t element = 0;
  std::uint32_t first_of_element = 0;  // index of the cell of the element's first register
  std::uint64_t last_write = 0;        // number of the write among all of the file; 0: none
  access_initiator* writer = nullptr;  // firmware that wrote last, and from where
  code_point written_at;
  std::uint8_t halves_written = 0;  // by firmware, of a register of 64 bits

  std::uint64_t known_bits() const {
    return read_bits | write_bits;  // whatever can be read or written exists
  }
  // What a read would return, as far as that can be known without its side effects.
  std::uint64_t peek() const { return is_computed ? hooks->before_read() & known_bits() : value; }
  bool is_told_by_reads_alone() const { return hooks && hooks->before_read && !is_computed; }
  // Tells pollers, coverage and waves that the model has changed the value.
  void show() const {
    if (hooks) hooks->show(value);
  }
  register_hooks& wanted_hooks() {
    if (!hooks) hooks = std::make_unique<register_hooks>();
    reads_plainly = false;
    return *hooks;
  }
  static constexpr std::uint8_t lower_half = 1, upper_half = 2;
  // Remembers which half of a 64-bit register firmware has written.
  void note_halves(std::uint64_t enabled) {
    if (bytes != 8) return;
    if ((enabled & UINT32_MAX) != 0) halves_written |= lower_half;
    if (enabled >> 32 != 0) halves_written |= upper_half;
  }
  // Whether firmware has written one half and never the other.
  bool is_half_written() const {
    return halves_written == lower_half || halves_written == upper_half;
  }
  void note_cause() {
    if (const cause* why = running_cause::now()) wanted_hooks().set_by = *why;
  }
};

}  // namespace heddle
