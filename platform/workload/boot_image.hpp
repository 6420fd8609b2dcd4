// What a rank finds in its memory when its firmware starts: the boot block, who its peers are, and
// where its devices lie (sw/hal/boot.h).
#pragma once

#include "platform/workload/rank_memory.hpp"
#include "platform/workload/workload_kind.hpp"
#include "sw/hal/boot.h"

namespace heddle {

// All windows are laid out alike.
rank_memory memory_of(const workload_cores& cores);

boot_block boot_block_of(const rank_core& core, std::uint32_t rank,
                         const workload_context& context);

// Into the memories of ranks and setup cores, without simulated time. Throws user_error where no
// memory answers.
void write_boot_blocks(const workload_context& context);

}  // namespace heddle
