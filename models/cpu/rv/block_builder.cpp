#include "models/cpu/rv/block_builder.hpp"

#include <algorithm>
#include <cstring>

#include "models/cpu/rv/decoder.hpp"
#include "models/cpu/rv/handlers.hpp"
#include "models/cpu/rv/hart.hpp"

namespace heddle::rv {
namespace {

// Two bytes of code; parcels of one page cost one look-up.
class code_reader {
 public:
  explicit code_reader(hart_bus& bus) : bus_(bus) {}

  bool read(std::uint64_t address, std::uint16_t& parcel) {
    const std::uint64_t page = address / hart_bus::page_bytes;
    if (page != page_) {
      page_ = page;
      bytes_ = bus_.direct_page(address);
    }
    if (!bytes_) return bus_.fetch(address, parcel);
    std::memcpy(&parcel, bytes_ + address % hart_bus::page_bytes, sizeof parcel);
    return true;
  }

 private:
  hart_bus& bus_;
  std::uint64_t page_ = UINT64_MAX;
  unsigned char* bytes_ = nullptr;
};

bool writes_rd(opcode op) {
  if (is_float(op)) return has_integer_result(op);
  return class_of(op) != instruction_class::branch && class_of(op) != instruction_class::store;
}

bool ends_block(opcode op) {
  const instruction_class c = class_of(op);
  return c == instruction_class::jump || (c == instruction_class::system && op != opcode::fence);
}

template <class X>
class builder {
 public:
  builder(X pc, hart_bus& bus, const cycle_costs& costs,
          const std::vector<std::uint64_t>& breakpoints, bool traces)
      : code_(bus), costs_(costs), breakpoints_(breakpoints), traces_(traces), pc_(pc) {
    made_->pc = made_->end = pc;
  }

  std::unique_ptr<block<X>> build(int most_instructions) {
    made_->exits.reserve(static_cast<std::size_t>(most_instructions) + 1);  // pointed into
    for (int i = 0; i < most_instructions; ++i) {
      if (std::binary_search(breakpoints_.begin(), breakpoints_.end(), pc_)) {
        add_breakpoint();
        return std::move(made_);
      }
      instruction next;
      X missing = 0;
      if (!fetch(next, missing)) {
        // What comes before it is executed first: the trap is a block of its own.
        if (i == 0)
          add_missing(missing);
        else
          add_end();
        return std::move(made_);
      }
      add(next);
      if (ends_block(next.op)) return std::move(made_);
    }
    add_end();
    return std::move(made_);
  }

 private:
  bool fetch(instruction& next, X& missing) {
    std::uint16_t low = 0, high = 0;
    missing = pc_;
    if (!code_.read(pc_, low)) return false;
    constexpr int xlen = sizeof(X) * 8;
    if (is_compressed(low)) {
      next = decode_compressed(low, xlen);
      return true;
    }
    missing = pc_ + 2;
    if (!code_.read(static_cast<X>(pc_ + 2), high)) return false;
    next = decode(std::uint32_t{high} << 16 | low, xlen);
    return true;
  }

  block_exit<X>* add_exit(X pc, std::uint32_t cycles) {
    block_exit<X> made;
    made.pc = pc;
    made.cycles = cycles;
    made.instructions = static_cast<std::uint32_t>(made_->operations.size()) + 1;
    made_->exits.push_back(made);
    return &made_->exits.back();
  }

  static X extended(std::int32_t value) {
    return static_cast<X>(static_cast<std::make_signed_t<X>>(value));
  }

  void add(const instruction& next) {
    operation<X> made = decoded(next);
    const instruction_class c = class_of(next.op);
    const std::uint32_t cycles = cycles_ + costs_[c];
    if (c == instruction_class::branch)
      made.exit = add_exit(pc_ + extended(next.imm), cycles + costs_.taken);
    if (c == instruction_class::jump) complete_jump(made, next, cycles);
    if (traces_) {
      made_->untraced.push_back(made.run);
      made.run = handler_of_report<X>();
    }
    push(made, next);
    cycles_ = cycles;
    pc_ += next.bytes;
    made_->end = pc_;
  }

  // What the instruction does, without the way out of the block.
  operation<X> decoded(const instruction& next) const {
    operation<X> made;
    made.run = handler_of<X>(next.op);
    made.rd = next.rd == 0 && writes_rd(next.op) ? hart<X>::sink : next.rd;
    made.rs1 = next.rs1;
    made.rs2 = next.rs2;
    made.rs3 = next.rs3;
    made.rounding = next.rounding;
    made.immediate = extended(next.imm);
    if (next.op == opcode::auipc) made.immediate += pc_;
    if (next.op == opcode::ecall) made.immediate = 0;
    if (next.op == opcode::ebreak) made.immediate = pc_;
    if (next.op == opcode::illegal) made.immediate = next.bits;
    return made;
  }

  void complete_jump(operation<X>& made, const instruction& next, std::uint32_t cycles) {
    if (next.op == opcode::jal && next.imm == 0 && next.rd == 0) {
      made.run = handler_of_idle_loop<X>();
      return;
    }
    made.exit = add_exit(next.op == opcode::jal ? pc_ + extended(next.imm) : X{1}, cycles);
    made.exit->return_address = pc_ + next.bytes;
    made.exit->offset = extended(next.imm);
  }

  void add_end() {
    operation<X> made;
    made.run = handler_of_end<X>();
    made.exit = add_exit(pc_, cycles_);
    --made.exit->instructions;
    made_->has_end = true;
    push(made, {});
  }

  void add_missing(X address) {
    operation<X> made;
    made.run = handler_of_missing_code<X>();
    made.immediate = address;
    push(made, {});
  }

  void add_breakpoint() {
    operation<X> made;
    made.run = handler_of_breakpoint<X>();
    made.immediate = 0;
    push(made, {});
  }

  void push(const operation<X>& made, const instruction& source) {
    made_->operations.push_back(made);
    made_->details.push_back({source, static_cast<std::uint32_t>(pc_ - made_->pc), cycles_});
  }

  std::unique_ptr<block<X>> made_ = std::make_unique<block<X>>();
  code_reader code_;
  const cycle_costs& costs_;
  const std::vector<std::uint64_t>& breakpoints_;
  const bool traces_;
  X pc_;
  std::uint32_t cycles_ = 0;
};

}  // namespace

template <class X>
std::unique_ptr<block<X>> build_block(X pc, hart_bus& bus, const cycle_costs& costs,
                                      const std::vector<std::uint64_t>& breakpoints, bool traces) {
  return builder<X>(pc, bus, costs, breakpoints, traces).build(most_instructions_of_a_block);
}

template <class X>
std::unique_ptr<block<X>> build_instruction(X pc, hart_bus& bus, const cycle_costs& costs,
                                            bool traces) {
  const std::vector<std::uint64_t> no_breakpoints;
  return builder<X>(pc, bus, costs, no_breakpoints, traces).build(1);
}

template std::unique_ptr<block<std::uint32_t>> build_block(std::uint32_t, hart_bus&,
                                                           const cycle_costs&,
                                                           const std::vector<std::uint64_t>&, bool);
template std::unique_ptr<block<std::uint64_t>> build_block(std::uint64_t, hart_bus&,
                                                           const cycle_costs&,
                                                           const std::vector<std::uint64_t>&, bool);
template std::unique_ptr<block<std::uint32_t>> build_instruction(std::uint32_t, hart_bus&,
                                                                 const cycle_costs&, bool);
template std::unique_ptr<block<std::uint64_t>> build_instruction(std::uint64_t, hart_bus&,
                                                                 const cycle_costs&, bool);

}  // namespace heddle::rv
