#include "platform/firmware/core_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "platform/registers/known_blocks.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {

core_devices::core_devices(std::vector<core_device> found) : all_(std::move(found)) {
  std::map<std::uint32_t, std::uint32_t> counts;
  std::map<std::uint32_t, const register_file*> first;
  for (core_device& each : all_) {
    const register_file_description& block = each.registers->description();
    const register_file& before = *first.emplace(block.id, each.registers).first->second;
    if (before.description().name != block.name)
      throw user_error(fmt::format(
          "firmware cannot tell {} (block {}) from {} (block {}): the register id of "
          "both holds {:#x}",
          each.registers->path(), block.name, before.path(), before.description().name, block.id));
    each.block = block.id;
    each.instance = counts[each.block]++;
  }
}

std::uint32_t core_devices::count(std::uint32_t block) const {
  return static_cast<std::uint32_t>(std::count_if(
      all_.begin(), all_.end(), [block](const core_device& each) { return each.block == block; }));
}

const core_device* core_devices::find(std::uint32_t block, std::uint32_t instance) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const core_device& each) {
    return each.block == block && each.instance == instance;
  });
  return found == all_.end() ? nullptr : &*found;
}

bool core_devices::has(const std::string& block) const {
  return std::any_of(all_.begin(), all_.end(), [&](const core_device& each) {
    return each.registers->description().name == block;
  });
}

std::string core_devices::missing_text(std::uint32_t block, std::uint32_t instance) const {
  std::string there;
  for (const core_device& each : all_)
    there += fmt::format("{}{} {} at {:#x}", there.empty() ? "" : ", ",
                         each.registers->description().name, each.instance, each.base);
  return fmt::format("firmware asks for {} {}; its map has {}", known_blocks::name_of(block),
                     instance, there.empty() ? "no devices" : there);
}

}  // namespace heddle
