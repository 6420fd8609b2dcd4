#include "platform/registers/known_blocks.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "platform/registers/register_description.hpp"

namespace heddle {
namespace {

// Blocks add themselves before main().
std::unordered_map<std::uint32_t, std::string>& names() {
  static std::unordered_map<std::uint32_t, std::string> all;
  return all;
}

}  // namespace

bool known_blocks::add(const register_file_description& block) {
  names().emplace(block.id, block.name);
  return true;
}

std::string known_blocks::name_of(std::uint32_t id) {
  const auto found = names().find(id);
  return found == names().end() ? fmt::format("block {:#x}", id) : found->second;
}

}  // namespace heddle
