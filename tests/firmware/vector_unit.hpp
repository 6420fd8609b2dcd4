// The vector unit as its driver sees it. It reads its operands at the very end, so whoever touches
// them too early is found out.
#pragma once

#include <cstdint>
#include <functional>

#include "tests/firmware/event_queue.hpp"
#include "tests/firmware/timing.hpp"

namespace heddle::test {

struct vector_operation {
  std::uint64_t destination = 0;
  std::uint64_t source = 0;
  std::uint32_t elements = 0;
  std::uint32_t operation = 0;
  std::uint64_t flag = 0;  // of lines
};

class vector_unit final {
 public:
  // Computes, and tells whoever waits for the unit. Returns which line was missing, 0: none.
  using executor = std::function<std::uint32_t(const vector_operation&)>;
  vector_unit(event_queue& events, timing& times, executor execute);

  std::uint64_t read(std::uint64_t offset) const;
  void write(std::uint64_t offset, std::uint64_t value);

 private:
  void start();

  event_queue& events_;
  timing& times_;
  executor execute_;
  vector_operation operation_;
  std::uint32_t completed_ = 0, missing_ = 0;
  bool is_busy_ = false;
};

}  // namespace heddle::test
