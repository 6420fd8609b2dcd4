// The fastest of several ways to cut a kernel into thread blocks.
#pragma once

#include "models/gpu/kernels/kernel_rates.hpp"

namespace heddle {

constexpr std::uint64_t parts(std::uint64_t whole, std::uint64_t part) {
  return (whole + part - 1) / part;
}

class fastest_kernel {
 public:
  explicit fastest_kernel(const kernel_rates& rates) : rates_(rates) {}

  // Of equally fast ones the first stays.
  void offer(const kernel_descriptor& tried) {
    const fs_t time = rates_.kernel_time(tried);
    if (time >= time_) return;
    time_ = time;
    chosen_ = tried;
  }
  const kernel_descriptor& chosen() const { return chosen_; }

 private:
  const kernel_rates& rates_;
  kernel_descriptor chosen_{};
  fs_t time_ = fs_never;
};

}  // namespace heddle
