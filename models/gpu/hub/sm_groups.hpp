// The SMs of the GPU while a layer runs: a group for each GEMM, which help each other, and
// attention on SMs of its own or beside the GEMMs. A row of tokens, or the attention of a part, is
// one batch of thread blocks.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "models/gpu/sm/sm_pool.hpp"

namespace heddle {

class expert_blocks;
class expert_rows;
class layer_parts;
class tile_schedule;

class sm_groups final : private hub_part, private sm_pool::listener {
 public:
  // `tiles` and `parts` hear what is done. `blocks` and `rows`: what is read and written.
  sm_groups(hub_core& core, unit& owner, const sm_rates& rates, const token_tracker& tracker,
            const expert_blocks& blocks, expert_rows& rows, tile_schedule& tiles,
            layer_parts& parts)
      : hub_part(core),
        owner_(owner),
        tracker_(tracker),
        blocks_(blocks),
        rows_(rows),
        tiles_(tiles),
        parts_(parts),
        pool_(*this, rates) {}

  void configure();
  // GEMM-1 or GEMM-2 of a row.
  void multiply(token_step step, std::uint32_t row);
  void attend(std::uint32_t part);

  fs_t busy() const { return pool_.busy(); }  // summed over SMs
  std::uint64_t operand_misses() const { return pool_.operand_misses(); }

 private:
  enum : int { gemm1_group, gemm2_group, attention_group };        // of the pool
  static constexpr std::uint64_t attention_operands = UINT64_MAX;  // of part 0

  // Why a batch stands where it does, and until when it waits for its operands.
  struct batch_cause {
    cause why;
    fs_t operands_at = 0;
  };
  using batch_key = std::pair<int, std::uint32_t>;  // group and tag

  void submit(int group, const sm_batch& batch);
  void batch_begins(int group, const sm_batch& batch, fs_t operands_at) override;
  void batch_done(int group, const sm_batch& batch) override;
  void check_row(std::uint32_t row) const;

  unit& owner_;
  const token_tracker& tracker_;
  const expert_blocks& blocks_;
  expert_rows& rows_;
  tile_schedule& tiles_;
  layer_parts& parts_;
  sm_pool pool_;
  std::map<batch_key, batch_cause> causes_;  // of batches, while the run is explained
  cause freed_;                              // the latest batch that has left its SMs
};

}  // namespace heddle
