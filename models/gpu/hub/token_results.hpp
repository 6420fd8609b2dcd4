// Results of own tokens: sums that are fetched, or parts of them that GPUs return, with what own
// experts have on top, written to memory. A token is done when memory has all of its result.
//
// Sums are kept in FP32 and rounded once, when they are written. Parts that GPUs return are added
// in the order of GPUs, own experts last. A switch whose reduction buffer is full answers a fetch
// with several parts, each rounded for the wire; the mover adds these in the order in which they
// arrive. Such a sum is right within rounding, and the token is marked.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/token_lists.hpp"
#include "platform/time/timed_queue.hpp"
#include "transactors/packet/payload.hpp"

namespace heddle {

class firmware_groups;
class layer_parts;
class layer_run;

class token_results final : private hub_part {
 public:
  // `groups`, `parts` and `run` hear of tokens that are done.
  token_results(hub_core& core, const token_lists& lists, firmware_groups& groups,
                layer_parts& parts, layer_run& run);

  void configure();
  std::uint32_t tokens_done() const { return tokens_done_; }
  // Own tokens of the layer that ran last whose fetched sum arrived in several parts.
  std::uint32_t tokens_parted() const { return tokens_parted_; }
  bool is_parted(std::uint32_t own) const { return own < own_.size() && own_[own].is_parted; }

  // Where it goes, if not to its place among the layer's results.
  void set_address(std::uint32_t own, std::uint64_t result) { own_[own].result = result; }
  // The token's sum is fetched.
  void expect_sum(std::uint32_t own) { own_[own].missing = layer_.bsize(token_stage::combine); }
  // Keeps the sum that the experts of this GPU add to a token's result, which is there at the
  // instant `ready`; an empty sum stands for none.
  void keep_own_sum(std::uint32_t own, std::vector<float> sum, fs_t ready);
  // A packet of the token's sum covers only some of the experts that it was fetched from.
  void arrives_in_parts(std::uint32_t token);
  // A piece of the others' sum is here, which is used up.
  void fetched(std::uint32_t token, std::uint32_t offset, std::uint32_t bytes,
               std::vector<float>& sum);
  // A part from one GPU's experts is here; all of them together are the result.
  void take_part(std::uint32_t own, std::uint32_t gpu, std::uint32_t offset, payload_slice data,
                 std::uint32_t bytes);
  // A result that is complete at `start`.
  void write_whole(std::uint32_t own, const std::vector<float>& sum, fs_t start);

 private:
  struct own_token {
    std::uint64_t result = 0;         // address
    std::uint64_t missing = 0;        // bytes of its result
    std::uint64_t parts_missing = 0;  // bytes of the parts of it
    bool has_parts = false;           // the first one has come
    fs_t own_ready = 0;               // what own experts have is added
    bool is_parted = false;           // its fetched sum arrived in several parts
  };
  struct partial_sum {
    std::uint32_t gpu, offset;
    payload_slice data;
    std::uint32_t bytes;
  };
  struct result_part {
    std::uint32_t token = 0, bytes = 0;
    std::uint64_t address = 0;
    payload_slice data;
    cause why;
  };

  std::vector<float> sum_of_parts(std::uint32_t own);
  void write(std::uint32_t own, std::uint32_t offset, const std::vector<float>& sum,
             std::uint32_t bytes, fs_t start);
  void write_summed();
  void take_written();

  const token_lists& lists_;
  firmware_groups& groups_;
  layer_parts& parts_;
  layer_run& run_;
  std::vector<own_token> own_;
  std::unordered_map<std::uint32_t, std::vector<float>> own_sums_;       // by own token
  std::unordered_map<std::uint32_t, std::vector<partial_sum>> partial_;  // by own token
  std::uint32_t tokens_done_ = 0, tokens_parted_ = 0;
  timed_queue<result_part> summed_;   // sums that are complete and not yet written
  timed_queue<result_part> written_;  // whose write has ended
};

}  // namespace heddle
