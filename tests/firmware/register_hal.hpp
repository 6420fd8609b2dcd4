// A HAL whose every address is a word of one map: what a driver writes, in order, and what it
// reads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

struct register_hal {
  std::map<std::uint64_t, std::uint64_t> words;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> writes;  // address and value
  std::vector<std::pair<std::uint64_t, std::uint64_t>> additions;
  std::vector<std::pair<std::string, std::uint64_t>> logs;
  std::map<std::uint32_t, std::vector<std::uint64_t>> devices;  // base addresses, by block
  std::uint64_t time_ns = 0;                                    // every access takes one
  int fences = 0;
  std::function<void(std::uint64_t address)> on_write = [](std::uint64_t) {};
  std::function<void(std::uint64_t address)> before_read = [](std::uint64_t) {};
};

// The one that the driver under test sees; a test begins with a fresh one.
register_hal& hardware();
register_hal& fresh_hardware();

}  // namespace heddle::test
