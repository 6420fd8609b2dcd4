// The devices of a core: blocks of registers that it reaches by the map of its bus, and by the
// network behind it. Firmware asks for them by block and instance (hal_device of sw/hal/hal.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

class register_file;

struct core_device {
  std::uint64_t base = 0;  // as the core addresses it
  const register_file* registers = nullptr;
  std::uint32_t block = 0;     // register_file_description::id
  std::uint32_t instance = 0;  // among those of the block, from 0 on
};

class core_devices {
 public:
  core_devices() = default;
  // Numbers the instances in that order.
  explicit core_devices(std::vector<core_device> found);

  const std::vector<core_device>& all() const { return all_; }
  std::uint32_t count(std::uint32_t block) const;
  // nullptr where there is none.
  const core_device* find(std::uint32_t block, std::uint32_t instance) const;
  bool has(const std::string& block) const;  // by the block's name, "dma"

  // What a core says whose firmware asks for a device that is not there: "firmware asks for vector
  // 1; its map has dma 0 at 0x10000, vector 0 at 0x20000".
  std::string missing_text(std::uint32_t block, std::uint32_t instance) const;

 private:
  std::vector<core_device> all_;
};

}  // namespace heddle
