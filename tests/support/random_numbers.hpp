// Random test cases as lists of plain numbers, one a dimension, and how to make them simpler.
//
// Limits that join dimensions are applied only when the numbers become a test case, so any list is
// a possible case and shrinking needs to know nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct dimension {
  std::string name;
  std::uint64_t simplest;
  std::vector<std::uint64_t> choices;  // each as likely as the other
  bool is_range = false;               // anything between the first and the last, small ones often
};

class random_numbers {
 public:
  // The dimensions outlive the numbers.
  random_numbers(const std::vector<dimension>& dimensions, std::uint64_t seed);

  std::uint64_t operator[](const std::string& name) const;

  // Simpler numbers to try, the boldest first: one dimension nearer to its simplest.
  std::vector<random_numbers> simpler() const;

 private:
  const std::vector<dimension>* dimensions_;
  std::vector<std::uint64_t> values_;
};

// Takes simplifications as long as `fails` says that the failure is still there.
template <class Case, class Predicate>
Case shrink(Case failing, Predicate fails) {
  for (bool is_simpler = true; is_simpler;) {
    is_simpler = false;
    for (const Case& candidate : failing.simpler()) {
      if (!fails(candidate)) continue;
      failing = candidate;
      is_simpler = true;
      break;
    }
  }
  return failing;
}

}  // namespace heddle
