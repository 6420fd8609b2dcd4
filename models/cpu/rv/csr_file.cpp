#include "models/cpu/rv/csr_file.hpp"

#include <initializer_list>

namespace heddle::rv {
namespace {

constexpr unsigned first_hpm = 3, last_hpm = 31;

// Performance counters and their events, all of which read as zero.
constexpr bool is_idle_counter(unsigned number, unsigned group) {
  return number >= group + first_hpm && number <= group + last_hpm;
}

// Of the debug specification: a hart without triggers.
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

// The half of a 64-bit counter that a 32-bit register shows, or all of it.
template <class X>
X lower(std::uint64_t value) {
  return static_cast<X>(value);
}

// Sets the offset so that the counter has this value for the next instruction. A half that is not
// written keeps what it had: a write stands for the counting of its own instruction.
template <class X>
void set_lower(std::uint64_t& offset, std::uint64_t now, std::uint64_t next, X value) {
  std::uint64_t wanted = value;
  if (sizeof(X) == 4) wanted |= (now + offset) & upper_half;
  offset = wanted - next;
}

void set_upper(std::uint64_t& offset, std::uint64_t now, std::uint64_t next, std::uint64_t value) {
  offset = (value << 32 | ((now + offset) & ~upper_half)) - next;
}

}  // namespace

template <class X>
bool csr_file<X>::read(unsigned number, const counter_values& counters, X& value) const {
  const std::uint64_t cycle = counters.cycle + cycle_offset_;
  const std::uint64_t instret = counters.instret + instret_offset_;
  value = 0;
  switch (static_cast<csr>(number)) {
    case csr::cycle:
    case csr::mcycle:
      value = lower<X>(cycle);
      return true;
    case csr::instret:
    case csr::minstret:
      value = lower<X>(instret);
      return true;
    case csr::time:
      value = lower<X>(counters.time);
      return true;
    case csr::cycleh:
    case csr::mcycleh:
      value = lower<X>(cycle >> 32);
      return xlen == 32;
    case csr::instreth:
    case csr::minstreth:
      value = lower<X>(instret >> 32);
      return xlen == 32;
    case csr::timeh:
      value = lower<X>(counters.time >> 32);
      return xlen == 32;
    case csr::mstatus:
      value = mstatus_ | (floats_.is_on ? mstatus_fs | mstatus_sd : 0);
      return true;
    case csr::misa:  // A, C, D, F, I, M
      value = X{xlen == 64 ? 2U : 1U} << (xlen - 2) | 1U << 0 | 1U << 2 | 1U << 3 | 1U << 5 |
              1U << 8 | 1U << 12;
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
      return true;
    default:
      return is_idle<X>(number) || (floats_.is_on && read_float(number, value));
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
  switch (static_cast<csr>(number)) {
    case csr::mcycle:
      set_lower(cycle_offset_, now.cycle, next.cycle, value);
      return true;
    case csr::minstret:
      set_lower(instret_offset_, now.instret, next.instret, value);
      return true;
    case csr::mcycleh:
      if (xlen == 32) set_upper(cycle_offset_, now.cycle, next.cycle, value);
      return xlen == 32;
    case csr::minstreth:
      if (xlen == 32) set_upper(instret_offset_, now.instret, next.instret, value);
      return xlen == 32;
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
      return is_idle<X>(number) || (floats_.is_on && write_float(number, value));
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
