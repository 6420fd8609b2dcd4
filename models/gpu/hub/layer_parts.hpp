// Parts of a layer: a training step has a forward and a backward one, which go through all steps
// one after the other, or at the same time. Attention comes before a forward part and after a
// backward one.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"

namespace heddle {

class layer_run;
class sm_groups;
class vector_mover;

class layer_parts final : private hub_part {
 public:
  layer_parts(hub_core& core, sm_groups& sms, vector_mover& mover, layer_run& run)
      : hub_part(core), sms_(sms), mover_(mover), run_(run) {}

  void configure();
  // The first part begins, and the second one where they overlap.
  void begin();
  // Own tokens of the part may leave.
  bool is_open(std::uint32_t part) const { return states_[part].is_open; }
  bool are_done() const { return done_ == layer_.parts; }

  void attended(std::uint32_t part);
  // An own token has its result.
  void token_done(std::uint32_t own);

 private:
  struct state {
    std::uint32_t tokens_left = 0;  // own tokens without their result
    bool is_open = false;
  };

  void begin(std::uint32_t part);
  void open(std::uint32_t part);
  void end();

  sm_groups& sms_;
  vector_mover& mover_;
  layer_run& run_;
  std::vector<state> states_;
  std::uint32_t done_ = 0;
};

}  // namespace heddle
