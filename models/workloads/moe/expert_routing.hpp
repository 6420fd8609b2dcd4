// Which experts each token goes to. Drawn from a distribution of the experts' load, the same on
// every machine for the same seed, or read from a recorded file (routing_file.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "models/workloads/moe/moe_shape.hpp"

namespace heddle {

class expert_routing {
 public:
  // Nobody's tokens yet.
  expert_routing(std::uint32_t gpus, std::uint32_t tokens)
      : gpus_(gpus), tokens_(tokens), first_{0} {
    first_.reserve(std::size_t{gpus} * tokens + 1);
  }

  struct targets {
    const std::uint16_t* experts = nullptr;
    std::uint32_t count = 0;
    const std::uint16_t* begin() const { return experts; }
    const std::uint16_t* end() const { return experts + count; }
  };

  std::uint32_t gpus() const { return gpus_; }
  std::uint32_t tokens() const { return tokens_; }  // of each GPU
  // Experts of a token. Tokens of all GPUs are numbered through: token t of GPU g is
  // g * tokens() + t.
  targets of(std::uint32_t token) const {
    return {experts_.data() + first_[token], first_[token + 1] - first_[token]};
  }
  std::uint32_t entries() const { return static_cast<std::uint32_t>(experts_.size()); }

  // The next token's, in the order of their numbers.
  void add(const std::vector<std::uint16_t>& experts) {
    experts_.insert(experts_.end(), experts.begin(), experts.end());
    first_.push_back(static_cast<std::uint32_t>(experts_.size()));
  }

 private:
  std::uint32_t gpus_, tokens_;
  std::vector<std::uint32_t> first_;  // of each token, in experts_
  std::vector<std::uint16_t> experts_;
};

// How load is distributed over experts.
//   normal  weight 1 + N(0, spread), not below 0: `spread` is relative to the mean load (DySHARP
//           V-B: 0.032 in training). The mean share of 256 experts is 0.0039: an absolute deviation
//           of 0.032 would leave almost half of them without tokens, and a relative one yields the
//           7.04 remote GPUs of a token that the printed 340 % of useless traffic ask for.
//   power   weight rank^-spread, ranks given to experts at random (DySHARP VI-C3: 1.5 in inference)
struct routing_distribution {
  enum class kind : std::uint8_t { normal, power } of = kind::normal;
  double spread = 0.032;
};

// Of each expert, at least 0; the same experts are popular with all GPUs.
std::vector<double> expert_weights(const routing_distribution& distribution, std::uint32_t experts,
                                   std::uint64_t seed);

// Each token takes `topk` different experts, one after another in proportion to their weights
// among those that it has not taken (the distribution of Gumbel top-k on their logarithms).
// Experts of no weight come last. topk is at most the number of experts.
expert_routing draw_routing(const moe_shape& shape, const std::vector<double>& weights,
                            std::uint64_t seed);

}  // namespace heddle
