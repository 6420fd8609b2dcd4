// What the workload needs of a core that runs a rank: its memory, where its devices are, and how a
// job reaches it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/firmware/firmware_core.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

struct rank_resources {
  std::uint64_t window = 0;  // its memory, the same address everywhere
  std::uint64_t window_bytes = 0;
  std::uint64_t dma = 0;  // registers
  std::uint64_t vector = 0;
};

class rank_core {
 public:
  virtual const std::string& rank_path() const = 0;
  virtual rank_resources resources() const = 0;
  // Memory without simulated time, as its core sees it. Throws user_error where nothing answers.
  virtual void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) = 0;
  virtual void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) = 0;

 protected:
  ~rank_core() = default;
};

// Every such core of the run, in the order of the netlist.
struct rank_directory {
  std::vector<rank_core*> cores;
};

}  // namespace heddle
