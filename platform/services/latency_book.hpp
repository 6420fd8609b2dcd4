// How long things took to get from one end to the other, as distributions: models note each
// latency under a name, results tell percentiles.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "platform/services/latency_histogram.hpp"

namespace heddle {

// Count, smallest, largest and mean are exact, percentiles within 1.6 %.
class latency_distribution {
 public:
  void note(fs_t latency, std::uint32_t times = 1) {
    histogram_.add(latency, times);
    sum_ += static_cast<double>(latency) * times;
    least_ = std::min(least_, latency);
    most_ = std::max(most_, latency);
  }

  std::uint64_t count() const { return histogram_.total(); }
  fs_t least() const { return count() > 0 ? least_ : 0; }
  fs_t most() const { return most_; }
  double mean() const { return count() > 0 ? sum_ / static_cast<double>(count()) : 0; }

  // The latency that a share (0..1) of all do not exceed.
  fs_t percentile(double share) const {
    return count() > 0 ? std::clamp(histogram_.quantile(share), least_, most_) : 0;
  }

  // Calls visit(latency, count) for each bucket that is not empty, from small to large.
  template <class Visit>
  void for_each(Visit visit) const {
    histogram_.for_each([&](fs_t latency, std::uint64_t times) {
      visit(std::clamp(latency, least_, most_), times);
    });
  }

 private:
  latency_histogram histogram_;
  double sum_ = 0;
  fs_t least_ = fs_never, most_ = 0;
};

struct latency_book {
  std::map<std::string, latency_distribution> all;  // by what they measure; they never move

  latency_distribution& of(const std::string& what) { return all[what]; }
};

}  // namespace heddle
