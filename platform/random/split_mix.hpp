// The counter-based random numbers beneath all tensors and payloads: SplitMix64 (Steele, Lea,
// Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014; constants of its variant 13
// by D. Stafford).
#pragma once

#include <cstdint>

namespace heddle::split_mix {

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Mixed twice, so that neighboring seeds and ranks do not run on overlapping counters.
constexpr std::uint64_t start_of_stream(std::uint64_t seed, std::uint64_t rank) {
  return mix(mix(seed + golden_gamma) + golden_gamma * (rank + 1));
}

// Output i of the stream that starts there.
constexpr std::uint64_t output(std::uint64_t start, std::uint64_t i) {
  return mix(start + golden_gamma * (i + 1));
}

// The outputs of a stream, one after the other.
class sequence {
 public:
  explicit constexpr sequence(std::uint64_t start) : state_(start) {}
  constexpr std::uint64_t next() { return mix(state_ += golden_gamma); }

 private:
  std::uint64_t state_;
};

}  // namespace heddle::split_mix
