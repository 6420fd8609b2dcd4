#include "models/cpu/rv/csr_file.hpp"

#include <initializer_list>

namespace heddle::rv {
namespace {

constexpr unsigned first_hpm = 3, last_hpm = 31;

// Performance counters and their events, all of which read as zero.
constexpr bool is_idle_counter(unsigned number, unsigned group) {
  return number >= group + first_hpm && number <= group + last_hpm;
}

// Registers of triggers (debug specification). A hart has none, so they read 0.
constexpr bool is_trigger(unsigned number) {
  return number >= 0x7a0 && number <= 0x7a3;
}

// Physical memory protection without entries.
constexpr bool is_protection(unsigned number) {
  return number >= 0x3a0 && number <= 0x3ef;
}

template <class X>
bool is_idle(unsigned number) {
  if (is_trigger(number)) return true;
  if (is_protection(number)) return sizeof(X) == 4 || number >= 0x3b0 || number % 2 == 0;
  const bool is_upper =
      is_idle_counter(number, 0xb80) || is_idle_counter(number, 0xc80) || number == 0x310;
  if (sizeof(X) == 4 && is_upper) return true;
  return is_idle_counter(number, 0xb00) || is_idle_counter(number, 0x320) ||
         is_idle_counter(number, 0xc00);
}

// Of fcsr.
constexpr int frm_shift = 5;
constexpr std::uint32_t all_flags = 0x1f, all_modes = 7;

constexpr std::uint64_t upper_half = 0xffffffff00000000;

// On RV32 a counter of 64 bits has two registers. The numbers of those with its upper half have
// this bit.
constexpr unsigned upper_half_bit = 0x80;

constexpr bool is_upper_half(unsigned number) {
  return (number & upper_half_bit) != 0;
}

// The part of a counter that the register shows. False: RV64 has no registers for upper halves.
template <class X>
bool show_counter(unsigned number, std::uint64_t counter, X& value) {
  if (sizeof(X) == 8 && is_upper_half(number)) return false;
  value = static_cast<X>(is_upper_half(number) ? counter >> 32 : counter);
  return true;
}

// Sets the offset so that the counter has this value for the next instruction. A half that is not
// written keeps what it had: a write stands for the counting of its own instruction. False: RV64
// has no register for an upper half.
template <class X>
bool set_counter(unsigned number, std::uint64_t& offset, std::uint64_t now, std::uint64_t next,
                 X value) {
  if (sizeof(X) == 8 && is_upper_half(number)) return false;
  std::uint64_t wanted = value;
  if (is_upper_half(number))
    wanted = wanted << 32 | ((now + offset) & ~upper_half);
  else if (sizeof(X) == 4)
    wanted |= (now + offset) & upper_half;
  offset = wanted - next;
  return true;
}

}  // namespace

template <class X>
bool csr_file<X>::read(unsigned number, const counter_values& counters, X& value) const {
  value = 0;
  return read_counter(number, counters, value) || read_machine(number, value) ||
         is_idle<X>(number) || (floats_.is_on && read_float(number, value));
}

template <class X>
bool csr_file<X>::read_counter(unsigned number, const counter_values& counters, X& value) const {
  switch (static_cast<csr>(number)) {
    case csr::cycle:
    case csr::cycleh:
    case csr::mcycle:
    case csr::mcycleh:
      return show_counter(number, counters.cycle + cycle_offset_, value);
    case csr::instret:
    case csr::instreth:
    case csr::minstret:
    case csr::minstreth:
      return show_counter(number, counters.instret + instret_offset_, value);
    case csr::time:
    case csr::timeh:
      return show_counter(number, counters.time, value);
    default:
      return false;
  }
}

template <class X>
bool csr_file<X>::read_machine(unsigned number, X& value) const {
  switch (static_cast<csr>(number)) {
    case csr::mstatus:
      value = mstatus_ | (floats_.is_on ? mstatus_fs | mstatus_sd : 0);
      return true;
    case csr::misa:
      value = misa;
      return true;
    case csr::mie:
      value = mie_;
      return true;
    case csr::mip:
      value = mip_;
      return true;
    case csr::mtvec:
      value = mtvec_;
      return true;
    case csr::mscratch:
      value = mscratch_;
      return true;
    case csr::mepc:
      value = mepc_;
      return true;
    case csr::mcause:
      value = mcause_;
      return true;
    case csr::mtval:
      value = mtval_;
      return true;
    case csr::mhartid:
      value = mhartid_;
      return true;
    case csr::mvendorid:
    case csr::marchid:
    case csr::mimpid:
    case csr::mconfigptr:
    case csr::mcountinhibit:
      return true;  // zero
    default:
      return false;
  }
}

template <class X>
bool csr_file<X>::read_float(unsigned number, X& value) const {
  switch (static_cast<csr>(number)) {
    case csr::fflags:
      value = floats_.state.flags;
      return true;
    case csr::frm:
      value = floats_.frm;
      return true;
    case csr::fcsr:
      value = floats_.frm << frm_shift | floats_.state.flags;
      return true;
    default:
      return false;
  }
}

template <class X>
bool csr_file<X>::write_float(unsigned number, X value) {
  const auto written = static_cast<std::uint32_t>(value);
  switch (static_cast<csr>(number)) {
    case csr::fflags:
      floats_.state.flags = written & all_flags;
      return true;
    case csr::frm:
      floats_.frm = written & all_modes;
      return true;
    case csr::fcsr:
      floats_.state.flags = written & all_flags;
      floats_.frm = written >> frm_shift & all_modes;
      return true;
    default:
      return false;
  }
}

template <class X>
bool csr_file<X>::write(unsigned number, const counter_values& now, const counter_values& next,
                        X value) {
  constexpr unsigned read_only = 3;
  if (number >> 10 == read_only) return false;
  return write_counter(number, now, next, value) || write_machine(number, value) ||
         is_idle<X>(number) || (floats_.is_on && write_float(number, value));
}

template <class X>
bool csr_file<X>::write_counter(unsigned number, const counter_values& now,
                                const counter_values& next, X value) {
  switch (static_cast<csr>(number)) {
    case csr::mcycle:
    case csr::mcycleh:
      return set_counter(number, cycle_offset_, now.cycle, next.cycle, value);
    case csr::minstret:
    case csr::minstreth:
      return set_counter(number, instret_offset_, now.instret, next.instret, value);
    default:
      return false;
  }
}

template <class X>
bool csr_file<X>::write_machine(unsigned number, X value) {
  switch (static_cast<csr>(number)) {
    case csr::mstatus:
      mstatus_ = (value & (mstatus_mie | mstatus_mpie)) | mstatus_mpp;
      floats_.is_on = (value & mstatus_fs) != 0;
      return true;
    case csr::mie:
      mie_ = value & all_interrupts;
      return true;
    case csr::mtvec:  // direct or vectored
      mtvec_ = value & ~X{2};
      return true;
    case csr::mscratch:
      mscratch_ = value;
      return true;
    case csr::mepc:
      mepc_ = value & ~X{1};
      return true;
    case csr::mcause:
      mcause_ = value;
      return true;
    case csr::mtval:
      mtval_ = value;
      return true;
    case csr::misa:  // nothing to choose
    case csr::mip:   // every line is a device's
    case csr::mcountinhibit:
      return true;
    default:
      return false;
  }
}

template <class X>
X csr_file<X>::enter_trap(X pc, X cause, X value) {
  mepc_ = pc;
  mcause_ = cause;
  mtval_ = value;
  const bool was_enabled = (mstatus_ & mstatus_mie) != 0;
  mstatus_ = mstatus_mpp | (was_enabled ? mstatus_mpie : 0);
  const bool is_vectored = (mtvec_ & 1) != 0 && (cause & interrupt_bit) != 0;
  const X base = mtvec_ & ~X{3};
  return is_vectored ? base + 4 * (cause & ~interrupt_bit) : base;
}

template <class X>
X csr_file<X>::leave_trap() {
  const bool was_enabled = (mstatus_ & mstatus_mpie) != 0;
  mstatus_ = mstatus_mpp | mstatus_mpie | (was_enabled ? mstatus_mie : 0);
  return mepc_;
}

template <class X>
X csr_file<X>::interrupt_cause() const {
  const X ready = mip_ & mie_;
  for (const interrupt each : {interrupt::external, interrupt::software, interrupt::timer})
    if ((ready >> static_cast<unsigned>(each) & 1) != 0)
      return interrupt_bit | static_cast<unsigned>(each);
  return 0;
}

template class csr_file<std::uint32_t>;
template class csr_file<std::uint64_t>;

}  // namespace heddle::rv
