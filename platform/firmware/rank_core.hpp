// What the workload needs of a core that runs a rank: its memory, where its devices are, and how a
// job reaches it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/explain/cause.hpp"
#include "platform/firmware/firmware_core.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

struct rank_resources {
  std::uint64_t window = 0;  // its memory, the same address everywhere
  std::uint64_t window_bytes = 0;
  bool holds(std::uint64_t address) const { return address - window < window_bytes; }
  std::uint64_t dma = 0;  // registers
  std::uint64_t vector = 0;
  std::uint64_t isa = 0;  // in-switch accelerators: the first one's registers, ...
  std::uint64_t isa_stride = 0;
  std::uint64_t isas = 0;         // and how many there are
  std::uint64_t multimem = 0;     // registers; 0: it has none
  std::uint64_t multicast = 0;    // region whose offset x is window + x of every rank
  std::uint64_t mesh = 0;         // registers of the network interface of a mesh; 0: there is none
  std::uint64_t columns = 1;      // of the ranks in the mesh
  std::uint64_t memory = 0;       // memory tile of its row 0; 0: there is none
  std::uint64_t memory_size = 0;  // of each memory tile
  std::uint64_t gemm = 0;         // registers of its GEMM engine; 0: there is none

  // By the name of the device: "isa", "mesh".
  bool has(const std::string& device) const {
    return (device == "dma" && dma != 0) || (device == "vector" && vector != 0) ||
           (device == "isa" && isas != 0) || (device == "multimem" && multimem != 0) ||
           (device == "multicast" && multicast != 0) || (device == "mesh" && mesh != 0) ||
           (device == "memory" && memory != 0) || (device == "gemm" && gemm != 0);
  }
};

class rank_core {
 public:
  virtual const std::string& rank_path() const = 0;
  virtual site_id rank_site() const = 0;
  virtual rank_resources resources() const = 0;
  // Memory without simulated time, as its core sees it. Throws user_error where nothing answers.
  virtual void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) = 0;
  virtual void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) = 0;
  // Its firmware is where it is; the start mark of an explained job sets it.
  cause& why() { return why_; }

 protected:
  ~rank_core() = default;

 private:
  cause why_;
};

// Every such core of the run, in the order of the netlist.
struct rank_directory {
  std::vector<rank_core*> cores;
};

}  // namespace heddle
