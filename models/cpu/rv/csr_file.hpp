// Control and status registers of machine mode. Counters are the hart's; here are their offsets.
#pragma once

#include <cstdint>

#include "models/cpu/rv/fp/float_unit.hpp"
#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

enum class csr : unsigned {
  fflags = 0x001,
  frm = 0x002,
  fcsr = 0x003,
  cycle = 0xc00,
  time = 0xc01,
  instret = 0xc02,
  cycleh = 0xc80,
  timeh = 0xc81,
  instreth = 0xc82,
  mvendorid = 0xf11,
  marchid = 0xf12,
  mimpid = 0xf13,
  mhartid = 0xf14,
  mconfigptr = 0xf15,
  mstatus = 0x300,
  misa = 0x301,
  mie = 0x304,
  mtvec = 0x305,
  mstatush = 0x310,
  mcountinhibit = 0x320,
  mscratch = 0x340,
  mepc = 0x341,
  mcause = 0x342,
  mtval = 0x343,
  mip = 0x344,
  mcycle = 0xb00,
  minstret = 0xb02,
  mcycleh = 0xb80,
  minstreth = 0xb82,
};

// Counters as they stand for the instruction that asks, without their offsets.
struct counter_values {
  std::uint64_t cycle = 0, instret = 0, time = 0;
};

template <class X>
class csr_file {
 public:
  static constexpr int xlen = sizeof(X) * 8;

  explicit csr_file(fp::float_unit& floats) : floats_(floats) {}

  // False: there is no such register, or floating point is off.
  bool read(unsigned number, const counter_values& counters, X& value) const;
  // fflags, frm and fcsr, for debuggers even while floating point is off. False: it is another one.
  bool read_float(unsigned number, X& value) const;
  bool write_float(unsigned number, X value);
  // False: there is no such register, it is read-only, or floating point is off.
  // `now`: counters as they stand for the instruction that writes; `next`: for the one after it,
  // which finds in a counter what was written.
  bool write(unsigned number, const counter_values& now, const counter_values& next, X value);

  // Saves pc and cause, masks interrupts; returns where the handler is.
  X enter_trap(X pc, X cause, X value);
  X leave_trap();
  bool has_handler() const { return mtvec_ != 0; }

  void set_pending(interrupt line, bool is_up) {
    const X bit = X{1} << static_cast<unsigned>(line);
    mip_ = is_up ? mip_ | bit : mip_ & ~bit;
  }
  // Enabled in `mie`, whatever mstatus says: what ends WFI.
  bool is_woken() const { return (mip_ & mie_) != 0; }
  bool is_interrupted() const { return is_woken() && (mstatus_ & mstatus_mie) != 0; }
  X interrupt_cause() const;  // of the one with the highest priority

  void set_hart(X number) { mhartid_ = number; }

 private:
  // Each is true where the register is of that kind and exists.
  bool read_counter(unsigned number, const counter_values& counters, X& value) const;
  bool read_machine(unsigned number, X& value) const;
  bool write_counter(unsigned number, const counter_values& now, const counter_values& next,
                     X value);
  bool write_machine(unsigned number, X value);

  static constexpr X mstatus_mie = 1U << 3, mstatus_mpie = 1U << 7, mstatus_mpp = 3U << 11;
  // Floating point is off, or its state may have changed: nothing in between.
  static constexpr X mstatus_fs = 3U << 13, mstatus_sd = X{1} << (xlen - 1);
  static constexpr X misa = X{xlen == 64 ? 2U : 1U} << (xlen - 2) | 1U << 0 | 1U << 2 | 1U << 3 |
                            1U << 5 | 1U << 8 | 1U << 12;  // A, C, D, F, I, M
  static constexpr X interrupt_bit = X{1} << (xlen - 1);
  static constexpr X all_interrupts = 1U << 3 | 1U << 7 | 1U << 11;

  fp::float_unit& floats_;
  X mstatus_ = mstatus_mpp, mie_ = 0, mip_ = 0, mtvec_ = 0, mscratch_ = 0, mepc_ = 0, mcause_ = 0,
    mtval_ = 0, mhartid_ = 0;
  std::uint64_t cycle_offset_ = 0, instret_offset_ = 0;
};

extern template class csr_file<std::uint32_t>;
extern template class csr_file<std::uint64_t>;

}  // namespace heddle::rv
