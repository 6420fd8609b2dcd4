#include "platform/pool/out_of_memory.hpp"

#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <new>

namespace heddle {
namespace {

// Holds no string: there is no memory for one.
class exhausted final : public std::bad_alloc {
 public:
  explicit exhausted(long held_mib) noexcept {
    std::snprintf(text_.data(), text_.size(), "%s; the program holds %ld MiB", out_of_memory.data(),
                  held_mib);
  }
  const char* what() const noexcept override { return text_.data(); }

 private:
  std::array<char, 160> text_{};
};

}  // namespace

void throw_out_of_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  throw exhausted(used.ru_maxrss / 1024);
}

void explain_exhaustion() {
  std::set_new_handler(throw_out_of_memory);
}

}  // namespace heddle
