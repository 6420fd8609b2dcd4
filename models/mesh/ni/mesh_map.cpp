#include "models/mesh/ni/mesh_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/number/power_of_two.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

mesh_position at(std::uint64_t x, std::uint64_t y) {
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
}

}  // namespace

mesh_map::mesh_map(const mesh_map_parameters& p, const std::string& owner)
    : origin_x_(static_cast<std::uint32_t>(p.origin_x())),
      origin_y_(static_cast<std::uint32_t>(p.origin_y())),
      width_(static_cast<std::uint32_t>(p.width())),
      height_(static_cast<std::uint32_t>(p.height())),
      base_(p.base().value),
      memory_x_(static_cast<std::uint32_t>(p.memory_x())),
      memory_base_(p.memory_base().value),
      memory_size_(p.memory_size().bytes) {
  const bool has_masks = obstacle_to_masks().empty();
  if (has_masks && (origin_x_ % width_ != 0 || origin_y_ % height_ != 0))
    throw user_error(
        fmt::format("{}: a submesh of {} x {} at ({}, {}): its origin is a multiple "
                    "of its size, because masks name its tiles",
                    owner, width_, height_, origin_x_, origin_y_));
  if (!is_power_of_two(p.tile_size().bytes))
    throw user_error(
        fmt::format("{}: tile_size {} is not a power of two", owner, p.tile_size().bytes));
  while (tile_size() < p.tile_size().bytes) ++shift_;
  while (1U << x_bits_ < width_) ++x_bits_;
  const std::uint64_t aligned_to = has_masks ? tiles() << shift_ : tile_size();
  if (base_ % aligned_to != 0)
    throw user_error(fmt::format("{}: base {:#x} is not a multiple of {} {:#x} B", owner, base_,
                                 has_masks ? "the submesh's" : "a tile's", aligned_to));
  const std::uint64_t end = base_ + (tiles() << shift_);
  if (memory_size_ > 0 && memory_base_ < end && base_ < memory_end())
    throw user_error(
        fmt::format("{}: memory tiles at {:#x} to {:#x} have addresses of tiles, which "
                    "are at {:#x} to {:#x}: move memory_base or base",
                    owner, memory_base_, memory_end() - 1, base_, end - 1));
}

void mesh_map::check_alias(std::uint64_t alias, const std::string& owner) const {
  const std::uint64_t end = std::max(base_ + (tiles() << shift_), memory_size_ ? memory_end() : 0);
  if (alias >= end) return;
  throw user_error(
      fmt::format("{}: alias {:#x} makes a collective of every access from there on, "
                  "and tiles and memories have addresses up to {:#x}: state one above",
                  owner, alias, end - 1));
}

std::uint64_t mesh_map::first_of(mesh_position node) const {
  if (holds(node)) return resolve(base_, node);
  return memory_base_ + std::uint64_t{node.y - origin_y_} * memory_size_;
}

std::string mesh_map::text() const {
  return fmt::format(
      "{} x {} tiles of {:#x} B from {:#x} at ({}, {}), memory {:#x} B from {:#x} at {}", width_,
      height_, tile_size(), base_, origin_x_, origin_y_, memory_size_, memory_base_, memory_x_);
}

std::optional<mesh_position> mesh_map::node_of(std::uint64_t address) const {
  if (is_in_submesh(address)) {
    const std::uint64_t index = (address - base_) >> shift_;
    return at(origin_x_ + index % width_, origin_y_ + index / width_);
  }
  const std::uint64_t offset = address - memory_base_;
  if (memory_size_ == 0 || address < memory_base_ || offset / memory_size_ >= height_)
    return std::nullopt;
  return at(memory_x_, origin_y_ + offset / memory_size_);
}

std::string mesh_map::obstacle_to_masks() const {
  if (is_power_of_two(width_) && is_power_of_two(height_)) return {};
  return fmt::format(
      "masks name tiles by bits of their addresses, so both sides of the mesh have to be powers of "
      "two: this one is {} x {}",
      width_, height_);
}

std::optional<mesh_position> mesh_map::position_mask(std::uint64_t address_mask) const {
  if (!obstacle_to_masks().empty()) return std::nullopt;
  const std::uint64_t index = address_mask >> shift_;
  if (index << shift_ != address_mask || index >= tiles()) return std::nullopt;
  return at(index & (width_ - 1), index >> x_bits_);
}

std::uint64_t mesh_map::resolve(std::uint64_t address, mesh_position tile) const {
  const std::uint64_t index = std::uint64_t{tile.y - origin_y_} * width_ + (tile.x - origin_x_);
  return base_ + (index << shift_) + (address & (tile_size() - 1));
}

}  // namespace heddle
