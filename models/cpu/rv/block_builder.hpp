// Decodes the block that begins at a pc.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/cpu/rv/block.hpp"
#include "models/cpu/rv/cycle_costs.hpp"
#include "models/cpu/rv/hart_bus.hpp"

namespace heddle::rv {

// No longer than this, so that the end of a quantum is not far.
inline constexpr int most_instructions_of_a_block = 64;

// Ends at the first of the breakpoints, which are sorted. `traces`: each instruction is reported
// before it is executed.
template <class X>
std::unique_ptr<block<X>> build_block(X pc, hart_bus& bus, const cycle_costs& costs,
                                      const std::vector<std::uint64_t>& breakpoints, bool traces);
// A block of one instruction, which is executed whatever breakpoint is there.
template <class X>
std::unique_ptr<block<X>> build_instruction(X pc, hart_bus& bus, const cycle_costs& costs,
                                            bool traces);

extern template std::unique_ptr<block<std::uint32_t>> build_block(std::uint32_t, hart_bus&,
                                                                  const cycle_costs&,
                                                                  const std::vector<std::uint64_t>&,
                                                                  bool);
extern template std::unique_ptr<block<std::uint64_t>> build_block(std::uint64_t, hart_bus&,
                                                                  const cycle_costs&,
                                                                  const std::vector<std::uint64_t>&,
                                                                  bool);
extern template std::unique_ptr<block<std::uint32_t>> build_instruction(std::uint32_t, hart_bus&,
                                                                        const cycle_costs&, bool);
extern template std::unique_ptr<block<std::uint64_t>> build_instruction(std::uint64_t, hart_bus&,
                                                                        const cycle_costs&, bool);

}  // namespace heddle::rv
