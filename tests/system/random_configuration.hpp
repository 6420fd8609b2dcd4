// A random system and workload for yaml/ring_allreduce.yaml, and how to make it simpler.
//
// Limits that join dimensions (a buffer holds a train, halving-doubling takes a power of two of
// ranks) are applied when the numbers become settings.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/heddle_run.hpp"
#include "tests/support/random_numbers.hpp"

namespace heddle {

class random_configuration {
 public:
  explicit random_configuration(std::uint64_t seed);
  explicit random_configuration(random_numbers numbers) : numbers_(std::move(numbers)) {}

  settings as_settings() const;

  std::vector<random_configuration> simpler() const;

 private:
  std::uint64_t value(const std::string& name) const { return numbers_[name]; }
  std::uint64_t elements() const;

  random_numbers numbers_;
};

}  // namespace heddle
