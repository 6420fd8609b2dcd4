// Commands of dynamic multimem, as firmware puts them into the ring of a hub.
#pragma once

#include <vector>

#include "sw/drivers/dymultimem_command.h"
#include "tests/unit/models/moe/hub_bench.hpp"

namespace heddle {

class command_ring {
 public:
  // `range`: first address of the tokens.
  command_ring(hub_bench& bench, std::uint64_t range) : bench_(bench), range_(range) {}

  void open() {
    bench_.write(token_hub_regs::ring_offset, ring);
    bench_.write(token_hub_regs::ring_entries_offset, entries);
  }
  void store(std::uint32_t token, const std::vector<std::uint16_t>& experts) {
    const std::uint64_t input = hub_bench::inputs + token * hub_bench::bytes;
    add({DYMULTIMEM_ST, DYMULTIMEM_DISPATCH, 0, 0, input, 0}, token, experts);
  }
  void fetch(std::uint32_t token, const std::vector<std::uint16_t>& experts) {
    const std::uint64_t result = hub_bench::results + token * hub_bench::bytes;
    add({DYMULTIMEM_LD_REDUCE, DYMULTIMEM_COMBINE, 0, 0, result, 0}, token, experts);
  }
  void ring_doorbell() { bench_.write(token_hub_regs::posted_offset, posted_); }

 private:
  static constexpr std::uint64_t ring = hub_bench::base + 0x9000,
                                 list_of_command = hub_bench::base + 0xa000;
  static constexpr std::uint32_t entries = 16;

  void add(dymultimem_command command, std::uint32_t token,
           const std::vector<std::uint16_t>& experts) {
    constexpr std::uint64_t list_bytes = 16;
    command.count = static_cast<std::uint32_t>(experts.size());
    command.address = range_ + token * hub_bench::bytes;
    command.list = list_of_command + posted_ * list_bytes;
    if (!experts.empty())
      bench_.put(command.list, experts.data(), experts.size() * sizeof(std::uint16_t));
    bench_.put(ring + posted_ * sizeof command, &command, sizeof command);
    ++posted_;
  }

  hub_bench& bench_;
  const std::uint64_t range_;
  std::uint32_t posted_ = 0;
};

}  // namespace heddle
