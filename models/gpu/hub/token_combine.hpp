// Combine: when all experts of an own token are done with it, its sum is fetched from them. Where
// GPUs copy, each GPU returns the sum of its own experts by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/token_lists.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "platform/time/timed_queue.hpp"
#include "transactors/fabric/endpoint.hpp"

namespace heddle {

class expert_blocks;
class firmware_groups;
class layer_run;
class token_dispatch;
class token_results;
class vector_mover;

class token_combine final : private hub_part {
 public:
  // `own`: which own tokens have left. `groups`: who says that a token is fetched. `run` hears when
  // experts are done.
  token_combine(hub_core& core, token_tracker& tracker, const token_lists& lists,
                const token_dispatch& own, expert_blocks& blocks, firmware_groups& groups,
                vector_mover& mover, token_results& results, layer_run& run);

  void configure();

  // An own token goes to its experts.
  void expect() { ++expected_; }
  // All experts are done with all own tokens that went to them, and this has been seen. Firmware
  // may fetch tokens earlier than that; what is told of them still belongs to this layer.
  bool has_heard_of_all() const { return unheard() == 0; }
  // Own tokens of which this is not so.
  std::uint32_t unheard() const {
    return layer_.traffic == TOKEN_COPIES ? 0 : expected_ - released_;
  }
  // An expert on the sender's GPU is done with an own token.
  void expert_done(std::uint32_t own, endpoint_id sender);
  // All experts are done with the own token; the hub sees that at the instant `seen`.
  void ready(std::uint32_t own, fs_t seen) { ready_.push(seen, {own, running_cause::copy()}); }

  // Fetches the sum of the experts in the list. Firmware says where the result goes.
  void fetch(std::uint32_t own, const token_list& list);
  void fetch(std::uint32_t own, const token_list& list, std::uint64_t result);
  // All experts of this GPU are done with a token, of whichever GPU (traffic by copies).
  void part_ready(std::uint32_t token);

 private:
  struct ready_token {
    std::uint32_t own = 0;
    cause why;
  };
  struct chunk_state {
    std::uint32_t tokens_left = 0;    // own tokens that are not ready
    std::vector<std::uint32_t> held;  // own tokens that wait for them
  };

  void take_ready();
  void release(std::uint32_t own);
  fs_t add_own_experts(std::uint32_t own, const target_list::experts_type& experts,
                       std::vector<float>& sum);

  token_tracker& tracker_;
  const token_lists& lists_;
  const token_dispatch& own_;
  expert_blocks& blocks_;
  firmware_groups& groups_;
  vector_mover& mover_;
  token_results& results_;
  layer_run& run_;
  std::vector<chunk_state> chunks_;
  std::uint32_t expected_ = 0, released_ = 0;  // own tokens
  timed_queue<ready_token> ready_;
};

}  // namespace heddle
