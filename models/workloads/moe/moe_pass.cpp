#include "models/workloads/moe/moe_pass.hpp"

#include <algorithm>
#include <limits>

namespace heddle {
namespace {

constexpr double backward_work = 2;  // times the operations of the forward pass

double attention_time(const moe_attention& of, const moe_machine& machine) {
  return std::max(of.flops / machine.flops, of.bytes / machine.hbm_rate);
}

// `layer(machine)` is the time of a forward pass of the layer on that machine.
template <class Layer>
double time_of_pass(moe_pass pass, const moe_schedule& schedule, const moe_attention& attention,
                    const moe_machine& machine, const Layer& layer) {
  moe_machine slower = machine, wires_only = machine;
  slower.flops /= backward_work;
  wires_only.flops = std::numeric_limits<double>::infinity();
  const double attending = attention_time(attention, machine);
  if (pass == moe_pass::forward) return layer(machine);
  if (pass == moe_pass::backward) return layer(slower);
  if (pass != moe_pass::training) return attending + layer(machine);
  const double attending_both_ways = (1 + backward_work) * attending;
  if (!schedule.overlaps_parts) return attending_both_ways + layer(machine) + layer(slower);
  // Wires of both parts beside the multipliers of both.
  const double wires = layer(wires_only);
  const double multiplying = layer(machine) - wires;
  return std::max(2 * wires, (1 + backward_work) * multiplying + attending_both_ways);
}

}  // namespace

const std::vector<std::string>& moe_pass_names() {
  static const std::vector<std::string> names = {"forward", "backward", "training", "prefill",
                                                 "decode"};
  return names;
}

moe_attention attention_of(moe_pass pass, const moe_shape& shape, std::uint32_t context) {
  moe_attention result;
  if (pass == moe_pass::forward || pass == moe_pass::backward) return result;
  const double hidden = shape.hidden, tokens = shape.tokens;
  const bool decodes = pass == moe_pass::decode;
  // Scores and values take a multiplication and an addition each for every element; a token of a
  // whole sequence has half of the sequence before it.
  const double before = decodes ? context : tokens / 2;
  result.flops = tokens * (8 * hidden * hidden + 4 * before * hidden);
  constexpr double bytes_of_weight = 1, bytes_of_key_and_value = 4;
  const bool infers = decodes || pass == moe_pass::prefill;
  if (infers) result.bytes = 4 * hidden * hidden * bytes_of_weight;
  if (decodes) result.bytes += tokens * before * hidden * bytes_of_key_and_value;
  return result;
}

std::uint32_t parts_of(moe_pass pass) {
  return pass == moe_pass::training ? 2 : 1;
}

double moe_pass_time_law(moe_pass pass, const moe_schedule& schedule, const moe_shape& shape,
                         double distinct, const moe_machine& machine, std::uint32_t context) {
  return time_of_pass(
      pass, schedule, attention_of(pass, shape, context), machine,
      [&](const moe_machine& with) { return moe_time_law(schedule, shape, distinct, with); });
}

double moe_pass_capacity_law(moe_pass pass, const moe_schedule& schedule, const moe_shape& shape,
                             double distinct, const moe_machine& machine, std::uint32_t context) {
  return time_of_pass(
      pass, schedule, attention_of(pass, shape, context), machine,
      [&](const moe_machine& with) { return moe_capacity_law(schedule, shape, distinct, with); });
}

}  // namespace heddle
