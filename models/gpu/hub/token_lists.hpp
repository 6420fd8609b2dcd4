// Lists of the experts of own tokens, by which their vectors are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "transactors/tokens/token_packets.hpp"

namespace heddle {

struct token_list {
  const std::uint16_t* experts = nullptr;
  std::uint32_t count = 0;
};

// Its experts on this GPU, and those that are reached over wires.
struct split_list {
  target_list::experts_type here, away;
};

class token_lists final : private hub_part {
 public:
  explicit token_lists(hub_core& core) : hub_part(core) {}

  // Reads all lists of the layer; false: memory has refused.
  bool read();
  // Reads the list of one token anew, from that address; false: memory has refused, or check().
  bool read(std::uint32_t own, std::uint64_t address, std::uint32_t count);

  token_list of(std::uint32_t own) const {
    const std::uint16_t* entry = lists_.data() + first_of(own);
    return {entry + 1, entry[0]};
  }
  // A list that is wrong ends the layer, and nothing is sent for it.
  bool check(std::uint32_t own, const token_list& list) const;
  split_list split(const token_list& list) const;
  // GPUs with an expert of the list.
  std::uint32_t gpus_of(const token_list& list) const;

 private:
  std::size_t first_of(std::uint32_t own) const { return std::size_t{own} * (1 + layer_.topk); }

  std::vector<std::uint16_t> lists_;  // a count and the experts, each
};

}  // namespace heddle
