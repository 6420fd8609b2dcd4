// The middle of measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace heddle {

// Of an even count the mean of the two in the middle. There is at least one.
inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace heddle
