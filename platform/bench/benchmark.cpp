#include "platform/bench/benchmark.hpp"

#include <algorithm>

namespace heddle {

benchmark_registry& benchmark_registry::instance() {
  static benchmark_registry the_registry;
  return the_registry;
}

std::vector<benchmark> benchmark_registry::sorted() const {
  std::vector<benchmark> all = all_;
  std::sort(all.begin(), all.end(),
            [](const benchmark& a, const benchmark& b) { return a.name < b.name; });
  return all;
}

}  // namespace heddle
