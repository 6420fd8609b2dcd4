// Dispatch: own tokens go to their experts, those of other GPUs over the wires, own ones straight
// into memory. A token has left when all of its experts have acknowledged its vector.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/token_lists.hpp"
#include "platform/time/timed_queue.hpp"

namespace heddle {

class expert_blocks;
class firmware_groups;
class layer_parts;
class row_return;
class tile_schedule;
class token_combine;
class vector_mover;
struct vector_move;

class token_dispatch final : private hub_part {
 public:
  // `tiles` and `returns` hear what is on its way to whom, `combine` of tokens that leave,
  // `firmware` of commands that are done; `parts` say which tokens may leave.
  token_dispatch(hub_core& core, token_lists& lists, vector_mover& mover, expert_blocks& blocks,
                 tile_schedule& tiles, row_return& returns, token_combine& combine,
                 firmware_groups& firmware, layer_parts& parts);

  void configure();

  // The hub dispatches tokens in their order, as soon as there is room.
  bool may_dispatch() const;
  // False: none may leave, or its list has failed the layer.
  bool dispatch_next();
  // By its list, which is right. Firmware says where the vector lies.
  void dispatch(std::uint32_t own);
  void dispatch(std::uint32_t own, std::uint64_t input);

  std::uint64_t input_of(std::uint32_t token) const {
    return own_[token - layer_.first_token()].input;
  }
  // Whether the token's list of experts has been checked and its stores have begun.
  bool has_dispatched(std::uint32_t own) const {
    return own < layer_.tokens && own_[own].is_dispatched;
  }
  // All targets have acknowledged so many bytes of that token's vector.
  void acknowledged(std::uint32_t token, std::uint32_t bytes);

 private:
  struct own_token {
    std::uint64_t input = 0;     // address
    std::uint64_t unstored = 0;  // bytes that no expert has acknowledged
    bool is_dispatched = false;
  };
  // An own token, whose vector own experts have.
  struct stored_token {
    std::uint32_t own = 0;
    cause why;
  };

  void copy_to_gpus(const vector_move& move);
  void send(std::uint32_t own, vector_move move);
  void store_here(std::uint32_t own, const target_list::experts_type& experts);
  void take_stored();
  void stored_everywhere(own_token& token, std::uint64_t bytes);

  token_lists& lists_;
  vector_mover& mover_;
  expert_blocks& blocks_;
  tile_schedule& tiles_;
  row_return& returns_;
  token_combine& combine_;
  firmware_groups& firmware_;
  layer_parts& parts_;
  std::vector<own_token> own_;
  std::uint32_t next_ = 0;
  timed_queue<stored_token> stored_;
};

}  // namespace heddle
