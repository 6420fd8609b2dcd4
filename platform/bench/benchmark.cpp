#include "platform/bench/benchmark.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {

benchmark_registry& benchmark_registry::instance() {
  static benchmark_registry the_registry;
  return the_registry;
}

std::vector<benchmark> benchmark_registry::sorted() const {
  std::vector<benchmark> all = all_;
  std::sort(all.begin(), all.end(), [](const benchmark& a, const benchmark& b) {
    return strverscmp(a.name.c_str(), b.name.c_str()) < 0;
  });
  return all;
}

}  // namespace heddle
