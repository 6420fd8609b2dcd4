// What the workload needs of a core that runs a rank: its memory, its devices, and how a job
// reaches it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/explain/cause.hpp"
#include "platform/firmware/core_device.hpp"
#include "platform/firmware/firmware_core.hpp"

namespace heddle {

struct rank_resources {
  std::uint64_t window = 0;  // its memory, the same address everywhere
  std::uint64_t window_bytes = 0;
  bool holds(std::uint64_t address) const { return address - window < window_bytes; }
  std::uint64_t multicast = 0;    // region whose offset x is window + x of every rank; 0: none
  std::uint64_t columns = 1;      // of the ranks in the mesh
  std::uint64_t memory = 0;       // memory tile of its row 0; 0: there is none
  std::uint64_t memory_size = 0;  // of each memory tile
  std::string devices = "*";      // globs over the units that count as its own, by blanks
};

class rank_core {
 public:
  virtual const std::string& rank_path() const = 0;
  virtual site_id rank_site() const = 0;
  virtual rank_resources resources() const = 0;
  // What its bus leads to, once the netlist is built.
  const core_devices& devices() const { return devices_; }
  void set_devices(core_devices found) { devices_ = std::move(found); }
  // By the block's name ("isa", "network_interface"), or "multicast" and "memory" of its resources.
  bool has(const std::string& what) const {
    const rank_resources own = resources();
    return devices_.has(what) || (what == "multicast" && own.multicast != 0) ||
           (what == "memory" && own.memory != 0);
  }
  // Memory without simulated time, as its core sees it. Throws user_error where nothing answers.
  virtual void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) = 0;
  virtual void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) = 0;
  // Its firmware is where it is; the start mark of an explained job sets it.
  cause& why() { return why_; }

 protected:
  ~rank_core() = default;

 private:
  core_devices devices_;
  cause why_;
};

// Every such core of the run, in the order of the netlist.
struct rank_directory {
  std::vector<rank_core*> cores;
};

}  // namespace heddle
