#include "tests/firmware/rank_memory.hpp"

#include <algorithm>
#include <stdexcept>

namespace heddle::test {
namespace {

constexpr std::uint64_t alignment = 64;
constexpr std::uint64_t gap = 64;

}  // namespace

std::uint64_t rank_memory::place(const std::string& name, std::uint64_t bytes, unsigned rights) {
  regions_.erase(std::remove_if(regions_.begin(), regions_.end(),
                                [&](const region& each) { return each.name == name; }),
                 regions_.end());
  std::uint64_t end = 0;
  for (const region& each : regions_) end = std::max(end, each.offset + each.bytes);
  const std::uint64_t offset = (end + gap + alignment - 1) / alignment * alignment;
  regions_.push_back({name, offset, bytes, rights});
  if (bytes_.size() < offset + bytes) bytes_.resize(offset + bytes);
  return offset;
}

std::uint64_t rank_memory::offset_of(const std::string& name) const {
  for (const region& each : regions_) {
    if (each.name == name) return each.offset;
  }
  throw std::runtime_error("no region " + name);
}

std::byte* rank_memory::look_at(const std::string& name) {
  return bytes_.data() + offset_of(name);
}

std::byte* rank_memory::at(std::uint64_t offset, std::uint64_t bytes, access wanted) {
  for (const region& each : regions_) {
    if (offset < each.offset || bytes > each.bytes) continue;
    if (offset - each.offset > each.bytes - bytes) continue;
    if ((each.rights & wanted) != 0) return bytes_.data() + offset;
    throw std::runtime_error(owner_ + ": forbidden access " + std::to_string(wanted) +
                             " to region " + each.name);
  }
  throw std::runtime_error(owner_ + ": access " + std::to_string(wanted) + " to " +
                           std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                           " outside all regions");
}

}  // namespace heddle::test
