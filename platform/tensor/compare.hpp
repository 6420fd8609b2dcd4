// How far a result is from what it should be.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/tensor/dtype.hpp"

namespace heddle {

struct comparison {
  bool identical = true;             // every bit
  std::size_t first_difference = 0;  // element; the number of elements when identical
  std::size_t mismatches = 0;        // elements whose bits differ
  std::uint64_t max_ulp = 0;
};

// ULP distance counts the representable values from one to the other; +0 and -0 are 0 apart,
// infinity is one step beyond the largest number. Two NaNs are 0 apart, a NaN and a number
// UINT64_MAX. For int32 it is the difference. The arrays need no alignment.
comparison compare(dtype type, const void* got, const void* expected, std::size_t elements);

// ||got - reference|| / ||reference|| in the Euclidean norm. Elements that are the same infinity do
// not count; other infinities and NaNs make the result infinite or NaN. 0 if both norms are 0.
class error_norm {
 public:
  // Further elements of both.
  void add(dtype type, const void* got, const double* reference, std::size_t elements);
  double relative() const;

 private:
  double error_ = 0, norm_ = 0;  // squares
};

double relative_error(dtype type, const void* got, const double* reference, std::size_t elements);

}  // namespace heddle
