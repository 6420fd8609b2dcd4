// The registers of a netlist against their descriptions: one core runs sw/apps/register_test.c, all
// others sleep. The platform lists the registers that the core sees, sets the bits that only a
// device can set, and names what the firmware found.
// Those behind a bridge or a network are tested from there, too.
//
// Registers whose write acts are only read: `acts: true`, a rule on order, fences or rings,
// `reset: varies` of a register that firmware may write; and what cannot be read back.
//
// On a core model its code and stack take 16 KiB from `local` on, wherever that is; the list lies
// below 4 GiB where there is memory.
//
// Limitations: of W1C and RC bits without fields the lowest is set, because a device may have fewer
// than the description. The core's own registers are not tested: reading them may wait.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/firmware/rank_core.hpp"
#include "platform/netlist/core_view.hpp"
#include "platform/unit/simulation.hpp"
#include "sw/hal/register_table.h"

namespace heddle {

class register_file;

// Before the netlist is built: the one core gets the app and memory for the table, what is wrong on
// purpose is not reported. core: "" for the first. Throws user_error.
core_view prepare_register_test(netlist_plan& plan, const std::string& core);

class register_test {
 public:
  // `sim` holds the netlist, built. Throws user_error when the core sees no registers.
  register_test(const core_view& view, simulation& sim);

  // The firmware has come to its end.
  bool is_finished() const { return is_finished_; }
  // Once the run is over: "412 registers of gpu[0].cp ...".
  std::string text() const;

 private:
  struct tested {
    register_file* file = nullptr;
    std::size_t cell = 0;
    register_entry entry{};
  };

  void list(const core_view& view, simulation& sim);
  std::uint64_t table_bytes() const;
  void check_room(const core_view& view) const;  // throws user_error
  void write_table();
  void set_bits();
  void collect();
  std::string finding_text(const register_finding& one) const;

  simulation& sim_;
  rank_core& core_;
  std::vector<tested> registers_;
  register_table table_{};
  std::uint64_t unwritten_ = 0;
  bool is_finished_ = false;
};

}  // namespace heddle
