// What a layer is part of, besides itself: the pass of a training step, or inference, with the
// attention before or after it. Attention is no simulation of its own kernels but a roofline: so
// many operations and so many bytes of HBM.
//
//   forward, backward  the layer alone; backward, gradients travel as vectors do, and each GEMM
//                      becomes two (gradients of inputs, and of weights)
//   training           attention, layer, and both backwards, of one transformer layer
//   prefill            attention of a whole prompt, and the layer
//   decode             attention of one new token of each sequence over those before it, and the
//                      layer
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/moe/moe_laws.hpp"
#include "models/workloads/moe/moe_schedule.hpp"
#include "models/workloads/moe/moe_shape.hpp"

namespace heddle {

enum class moe_pass : std::uint8_t { forward, backward, training, prefill, decode };

// As netlists name them.
const std::vector<std::string>& moe_pass_names();

// Of all tokens of a GPU in a forward pass; a backward one takes twice the operations.
struct moe_attention {
  double flops = 0;
  double bytes = 0;  // of HBM
};
// Four projections of hidden x hidden, and scores of each token with those before it: of its own
// sequence of `shape.tokens`, or of the `context` tokens in the cache when decoding, whose keys and
// values (BF16) are read. All GPUs hold all heads (data parallel). Projections have as many
// operations a second as the experts' GEMMs, and weights of FP8 as they do, which inference reads:
// the tokens of a training step are so many that the multiplications hide them.
moe_attention attention_of(moe_pass pass, const moe_shape& shape, std::uint32_t context);

// Parts of a job that go through all steps of a layer: the tokens of each are shape.tokens.
std::uint32_t parts_of(moe_pass pass);

// Both for the whole job, where shape.tokens are those of one part: as moe_time_law and
// moe_capacity_law are for a forward pass alone.
double moe_pass_time_law(moe_pass pass, const moe_schedule& schedule, const moe_shape& shape,
                         double distinct, const moe_machine& machine, std::uint32_t context);
double moe_pass_capacity_law(moe_pass pass, const moe_schedule& schedule, const moe_shape& shape,
                             double distinct, const moe_machine& machine, std::uint32_t context);

}  // namespace heddle
