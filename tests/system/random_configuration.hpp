// A random system and workload for yaml/ring_allreduce.yaml, and how to make it simpler.
//
// A configuration is a list of plain numbers, one a dimension. Limits that join dimensions (a
// buffer holds a train, halving-doubling takes a power of two of ranks) are applied only when the
// numbers become settings, so any list is a possible system and shrinking needs to know nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/heddle_run.hpp"

namespace heddle {

struct dimension {
  std::string name;
  std::uint64_t simplest;
  std::vector<std::uint64_t> choices;  // each as likely as the other
  bool is_range = false;               // anything between the first and the last, small ones often
};

class random_configuration {
 public:
  explicit random_configuration(std::uint64_t seed);

  settings as_settings() const;

  // Simpler configurations to try, the boldest first: one dimension nearer to its simplest.
  std::vector<random_configuration> simpler() const;

 private:
  std::uint64_t value(const std::string& name) const;
  std::uint64_t elements() const;

  std::vector<std::uint64_t> values_;
};

// Takes simplifications as long as `fails` says that the failure is still there.
template <class Predicate>
random_configuration shrink(random_configuration failing, Predicate fails) {
  for (bool is_simpler = true; is_simpler;) {
    is_simpler = false;
    for (const random_configuration& candidate : failing.simpler()) {
      if (!fails(candidate)) continue;
      failing = candidate;
      is_simpler = true;
      break;
    }
  }
  return failing;
}

}  // namespace heddle
