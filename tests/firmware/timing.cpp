#include "tests/firmware/timing.hpp"

#include <algorithm>

namespace heddle::test {

std::vector<fragment> random_timing::copy(std::uint64_t, std::uint32_t, std::uint64_t bytes) {
  std::vector<fragment> fragments;
  const std::uint64_t longest = 1 + below(bytes);
  for (std::uint64_t offset = 0; offset < bytes; offset += longest) {
    const std::uint64_t read_after = below(200);
    fragments.push_back(
        {offset, std::min(longest, bytes - offset), read_after, read_after + below(400)});
    if (fragments.size() == 3) {  // the rest in one piece: long copies of single bytes take long
      fragments.back().bytes = bytes - offset;
      break;
    }
  }
  return fragments;
}

std::vector<fragment> link_timing::copy(std::uint64_t now, std::uint32_t rank,
                                        std::uint64_t bytes) {
  double& free_at = free_at_[rank];
  free_at =
      std::max(free_at, static_cast<double>(now)) + static_cast<double>(bytes) / bytes_per_ns_;
  const auto sent_after = static_cast<std::uint64_t>(free_at) - now;
  return {{0, bytes, sent_after, sent_after + one_way}};
}

}  // namespace heddle::test
