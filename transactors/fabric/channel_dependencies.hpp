// Which channels wait for which: a packet or flit that holds the buffer behind one channel may need
// the next. A circle among them is a deadlock that can happen (Dally and Seitz, 1987). Links and
// virtual channels of the packet plane and of meshes are numbered by whoever asks.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class channel_dependencies {
 public:
  using channel = std::uint32_t;

  explicit channel_dependencies(channel channels) : channels_(channels) {}

  // Adding a dependency twice changes nothing.
  void add(channel held, channel wanted);
  // Each channel waits for the next, the last for the first; empty where there is no circle.
  std::vector<channel> find_circle();

 private:
  void forget_doubles();

  channel channels_;
  std::vector<std::uint64_t> pairs_;  // held and wanted, sorted up to `sorted_`
  std::size_t sorted_ = 0;
};

}  // namespace heddle
