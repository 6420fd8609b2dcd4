// The function that executes an instruction.
#pragma once

#include "models/cpu/rv/block.hpp"

namespace heddle::rv {

template <class X>
handler<X> handler_of(opcode op);
// Leaves the block at its end without a jump.
template <class X>
handler<X> handler_of_end();
// Code that cannot be fetched; the operation's immediate says where.
template <class X>
handler<X> handler_of_missing_code();
// A jump to itself.
template <class X>
handler<X> handler_of_idle_loop();
// Where a debugger wants to stop.
template <class X>
handler<X> handler_of_breakpoint();
// Reports the instruction, then does it: block::untraced.
template <class X>
handler<X> handler_of_report();

}  // namespace heddle::rv
