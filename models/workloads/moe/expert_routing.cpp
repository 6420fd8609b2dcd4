#include "models/workloads/moe/expert_routing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>
#include <string>

#include "platform/random/random_stream.hpp"
#include "platform/tensor/npy_header.hpp"
#include "platform/text/input_file.hpp"

namespace heddle {
namespace {

// Box and Muller.
double standard_normal(random_stream& random) {
  constexpr double full_turn = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log(1 - random.fraction()));
  return radius * std::cos(full_turn * random.fraction());
}

// Draws numbers in proportion to weights, each at most once until forget().
class draw_without_repeating {
 public:
  explicit draw_without_repeating(const std::vector<double>& weights)
      : weights_(weights), taken_(weights.size()) {
    double sum = 0;
    for (const double each : weights) sums_.push_back(sum += each);
  }

  std::uint16_t next(random_stream& random) {
    constexpr int patience = 16;
    for (int tries = 0; tries < patience && sums_.back() > 0; ++tries) {
      const double at = random.fraction() * sums_.back();
      const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
      const auto drawn = static_cast<std::size_t>(
          std::min<std::ptrdiff_t>(found - sums_.begin(), std::ptrdiff_t(sums_.size()) - 1));
      if (!taken_[drawn] && weights_[drawn] > 0) return take(drawn);
    }
    return take(among_the_rest(random));
  }
  void forget(const std::vector<std::uint16_t>& drawn) {
    for (const std::uint16_t each : drawn) taken_[each] = false;
  }

 private:
  // Where a few have nearly all the weight, repeating would take long.
  std::size_t among_the_rest(random_stream& random) const {
    double rest = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) rest += taken_[i] ? 0 : weights_[i];
    double at = random.fraction() * rest;
    std::size_t last = weights_.size();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (taken_[i] || (rest > 0 && weights_[i] == 0)) continue;
      last = i;
      at -= weights_[i];
      if (at < 0) break;
    }
    return last;
  }
  std::uint16_t take(std::size_t drawn) {
    taken_[drawn] = true;
    return static_cast<std::uint16_t>(drawn);
  }

  const std::vector<double>& weights_;
  std::vector<double> sums_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<double> expert_weights(const routing_distribution& distribution, std::uint32_t experts,
                                   std::uint64_t seed) {
  random_stream random(seed, "moe.expert_weights");
  std::vector<double> weights(experts);
  if (distribution.of == routing_distribution::kind::normal) {
    for (double& each : weights)
      each = std::max(0.0, 1 + distribution.spread * standard_normal(random));
    return weights;
  }
  std::vector<std::uint32_t> ranks(experts);
  std::iota(ranks.begin(), ranks.end(), 1);
  for (std::uint32_t i = experts; i > 1; --i) std::swap(ranks[i - 1], ranks[random.below(i)]);
  for (std::uint32_t i = 0; i < experts; ++i) weights[i] = std::pow(ranks[i], -distribution.spread);
  return weights;
}

expert_routing draw_routing(const moe_shape& shape, const std::vector<double>& weights,
                            std::uint64_t seed) {
  expert_routing routing(shape.gpus, shape.tokens);
  random_stream random(seed, "moe.routing");
  draw_without_repeating draw(weights);
  std::vector<std::uint16_t> drawn;
  for (std::uint64_t token = 0; token < std::uint64_t{shape.gpus} * shape.tokens; ++token) {
    drawn.clear();
    while (drawn.size() < shape.topk) drawn.push_back(draw.next(random));
    draw.forget(drawn);
    std::sort(drawn.begin(), drawn.end());
    routing.add(drawn);
  }
  return routing;
}

expert_routing read_routing(const std::filesystem::path& path, const moe_shape& shape) {
  std::ifstream file = open_input_file(path.string());
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
  const npy_header header = parse_npy_header(bytes, content.size(), path.string());
  if (header.descr != "<i2")
    throw npy_error(path.string(), header.descr_at,
                    "a routing has elements of '<i2', not " + npy_quoted(header.descr));
  if (header.fortran_order)
    throw npy_error(path.string(), header.fortran_order_at, "a routing is in C order");
  const std::vector<std::size_t> wanted = {shape.gpus, shape.tokens, shape.topk};
  if (header.shape != wanted)
    throw npy_error(path.string(), header.shape_at,
                    fmt::format("expected the shape [gpus, tokens, topk] = {}, found {}", wanted,
                                header.shape));
  const std::size_t count = std::size_t{shape.gpus} * shape.tokens * shape.topk;
  if (content.size() - header.data_at != count * sizeof(std::int16_t))
    throw npy_error(path.string(), header.data_at,
                    fmt::format("expected {} B of data, found {}", count * sizeof(std::int16_t),
                                content.size() - header.data_at));
  expert_routing routing(shape.gpus, shape.tokens);
  std::vector<std::uint16_t> experts;
  const std::byte* next = bytes + header.data_at;
  for (std::uint64_t token = 0; token < std::uint64_t{shape.gpus} * shape.tokens; ++token) {
    experts.clear();
    for (std::uint32_t i = 0; i < shape.topk; ++i, next += sizeof(std::int16_t)) {
      std::int16_t expert = 0;
      std::memcpy(&expert, next, sizeof expert);
      if (expert == -1) continue;
      const auto at = static_cast<std::size_t>(next - bytes);
      if (expert < -1 || expert >= static_cast<std::int64_t>(shape.experts))
        throw npy_error(path.string(), at,
                        fmt::format("token {} is for expert {}, of {} (-1: for none)", token,
                                    expert, shape.experts));
      const auto number = static_cast<std::uint16_t>(expert);
      if (std::find(experts.begin(), experts.end(), number) != experts.end())
        throw npy_error(path.string(), at,
                        fmt::format("token {} is for expert {} twice", token, expert));
      experts.push_back(number);
    }
    routing.add(experts);
  }
  return routing;
}

}  // namespace heddle
