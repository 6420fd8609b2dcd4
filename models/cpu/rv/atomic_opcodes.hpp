// What the opcodes of the A extension do to the word that they name.
#pragma once

#include "models/cpu/rv/isa.hpp"
#include "platform/number/atomic_operation.hpp"

namespace heddle::rv {

constexpr opcode as_word(opcode op) {
  constexpr int apart = static_cast<int>(opcode::lr_d) - static_cast<int>(opcode::lr_w);
  return op >= opcode::lr_d ? static_cast<opcode>(static_cast<int>(op) - apart) : op;
}

constexpr atomic_operation operation_of(opcode op) {
  switch (as_word(op)) {
    case opcode::amoswap_w:
      return atomic_operation::swap;
    case opcode::amoxor_w:
      return atomic_operation::bit_xor;
    case opcode::amoand_w:
      return atomic_operation::bit_and;
    case opcode::amoor_w:
      return atomic_operation::bit_or;
    case opcode::amomin_w:
      return atomic_operation::min;
    case opcode::amomax_w:
      return atomic_operation::max;
    case opcode::amominu_w:
      return atomic_operation::minu;
    case opcode::amomaxu_w:
      return atomic_operation::maxu;
    case opcode::sc_w:
      return atomic_operation::compare_and_swap;
    default:
      return atomic_operation::add;
  }
}

}  // namespace heddle::rv
