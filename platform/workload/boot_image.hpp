// What a core finds in its memory when its firmware starts: the boot block with its devices and, in
// a workload, who its peers are (sw/hal/boot.h).
#pragma once

#include <systemc>
#include <vector>

#include "platform/workload/rank_memory.hpp"
#include "platform/workload/workload_kind.hpp"
#include "sw/hal/boot.h"

namespace heddle {

// All windows of ranks are laid out alike.
rank_memory memory_of(const workload_cores& cores);
// Throws user_error where they cannot be, because some are roomy and others are not.
void check_windows(const workload_context& context);

// DMA channels that every rank has; UINT64_MAX where none of them has a DMA engine.
std::uint64_t common_channels(const workload_cores& cores);
// Throws user_error where a netlist asks for more DMA channels than a rank has.
void check_channels(const workload_context& context);

// Into the memories of ranks and setup cores, without simulated time. Throws user_error where no
// memory answers.
void write_boot_blocks(const workload_context& context);

// Every core with memory of its own gets a boot block that names its devices. A workload that is
// made later writes those of its cores anew.
class boot_blocks final : public sc_core::sc_module {
 public:
  boot_blocks(const sc_core::sc_module_name& name, std::vector<rank_core*> cores)
      : sc_module(name), cores_(std::move(cores)) {}

 private:
  void start_of_simulation() override;

  std::vector<rank_core*> cores_;
};

}  // namespace heddle
