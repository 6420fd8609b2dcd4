// What a netlist says about an instruction-set core.
#pragma once

#include <string>

#include "models/cpu/rank_parameters.hpp"
#include "models/cpu/rv/cycle_costs.hpp"
#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"

namespace heddle {

struct rv_core_parameters : rank_parameters {
  parameter<std::string> firmware{
      *this, "firmware", "",
      "app to run, built for the core, or ./FILE of one built elsewhere "
      "(FILE.rv64.elf, FILE.rv32.elf); none: the core sleeps",
      "set by the netlist"};
  parameter<std::string> elf{*this, "elf", "", "file to run instead of an app",
                             "set by the netlist"};
  parameter<std::uint64_t> interrupts{*this,
                                      "interrupts",
                                      1,
                                      within(0, 64),
                                      "external interrupt lines; any of them raises MEIP",
                                      "one device"};
  parameter<std::uint64_t> hart{*this, "hart", 0, "what mhartid says", "one core"};
  parameter<address> local{*this, "local", address{0x80000000},
                           "first address of memory that serves code, stack and data without the "
                           "bus, where it grants direct access",
                           "where RISC-V platforms put memory"};
  parameter<byte_size> local_size{*this, "local_size", 2_GiB, "bytes of it",
                                  "up to the end of 32-bit addresses"};
  parameter<address> host{*this, "host", address{0xf000000},
                          "first of the firmware_host registers, which hide what the bus has there",
                          "as sw/hal/rv/hal.c has it"};
  parameter<duration> cycle{*this,
                            "cycle",
                            duration{500 * fs_per_ps},
                            within(1_fs, 1_us),
                            "clock period",
                            "2 GHz, as the native core's costs"};
  parameter<duration> quantum{*this,
                              "quantum",
                              1_us,
                              within(0_ns, 1000_ms),
                              "how far the core may run ahead of simulated time",
                              "long against a context switch, short against a collective"};
  parameter<bool> sync_accesses{*this, "sync_accesses", true,
                                "each access to the bus waits for the core's own time first",
                                "devices then see accesses in the order of time"};
  parameter<duration> tick{*this,
                           "tick",
                           1_ns,
                           within(1_fs, 1000_ms),
                           "of the `time` CSR, where no clint is among the core's devices",
                           "1 GHz time base"};
  choice_parameter misaligned{*this, "misaligned", one_of("trap", "serve"),
                              "what a misaligned access does", "simple cores trap"};
  parameter<duration> access_cost{*this, "access_cost", 20_ns,
                                  "of each load from the bus, on top of the target's time",
                                  "on-chip interconnect, as the native core's"};
  parameter<std::uint64_t> write_cycles{*this,
                                        "write_cycles",
                                        4,
                                        within(0, 100000),
                                        "of each posted store to the bus",
                                        "into the store buffer, 2 ns as the native core's"};
  parameter<std::uint64_t> alu{*this,           "alu_cycles",           1,
                               within(1, 1000), "integer instructions", "in-order single issue"};
  parameter<std::uint64_t> mul{
      *this,           "mul_cycles",      3,
      within(1, 1000), "multiplications", "pipelined 64-bit multiplier, three stages"};
  parameter<std::uint64_t> div{*this,       "div_cycles",
                               20,          within(1, 1000),
                               "divisions", "radix-8 divider: 64 bits / 3 a cycle"};
  parameter<std::uint64_t> float_simple{
      *this,
      "float_cycles",
      4,
      within(1, 1000),
      "floating point but for loads, stores, quotients and roots",
      "fused multiply-adder, four stages; nothing else under way"};
  parameter<std::uint64_t> float_long{
      *this,           "float_div_cycles",    20,
      within(1, 1000), "quotients and roots", "as div_cycles: 53 bits and a few more, 3 a cycle"};
  parameter<std::uint64_t> load{
      *this,           "load_cycles", 2,
      within(1, 1000), "local loads", "single-cycle memory behind the address stage"};
  parameter<std::uint64_t> store{*this,           "store_cycles", 1,
                                 within(1, 1000), "local stores", "store buffer"};
  parameter<std::uint64_t> branch{*this,           "branch_cycles",        1,
                                  within(1, 1000), "conditional branches", "in-order single issue"};
  parameter<std::uint64_t> taken{*this,
                                 "taken_cycles",
                                 2,
                                 within(0, 1000),
                                 "on top, where a branch is taken",
                                 "refill of the two stages before execution, no predictor"};
  parameter<std::uint64_t> jump{*this,           "jump_cycles", 3,
                                within(1, 1000), "jumps",       "as a branch that is taken"};
  parameter<std::uint64_t> atomic{
      *this,           "atomic_cycles", 4,
      within(1, 1000), "local atomics", "a load, an addition and a store"};
  parameter<std::uint64_t> system{*this,
                                  "system_cycles",
                                  3,
                                  within(1, 1000),
                                  "CSR accesses, fences and other system instructions",
                                  "the pipeline drains"};
  parameter<std::uint64_t> trap{*this,
                                "trap_cycles",
                                4,
                                within(1, 1000),
                                "from a trap or interrupt to its handler",
                                "refill of a five-stage pipeline"};

  rv::cycle_costs costs() const;
};

}  // namespace heddle
