// Engines in several planes share one endpoint, so their tags must differ: each has a prefix.
// Routes have to bring every answer to the engine that asked for it, which its tag names.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class simulation;
class unit;
struct packet;

class multicast_tags {
 public:
  static constexpr std::uint32_t number_bits = 20;
  static constexpr std::uint32_t number_mask = (1U << number_bits) - 1;

  // The prefix of one more engine.
  std::uint32_t add(const unit& engine);

  static bool has_prefix(std::uint32_t tag, std::uint32_t prefix) {
    return (tag & ~number_mask) == prefix;
  }
  // Ends the run: the netlist leads an answer to `engine` that another one asked for.
  void reject_stray(const unit& engine, const packet& answer, simulation& sim) const;

 private:
  std::vector<const unit*> engines_;  // by prefix
};

}  // namespace heddle
