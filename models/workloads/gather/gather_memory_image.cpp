#include "models/workloads/gather/gather_memory_image.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/sparse/property_values.hpp"

namespace heddle {
namespace {

// Lies where a property will be written: no run before this one has left it there.
constexpr unsigned char poison = 0xa5;

}  // namespace

gather_memory_image::gather_memory_image(const gather_system& system, const nonzero_source& matrix,
                                         std::uint32_t length, const gather_layout& layout,
                                         std::uint64_t seed, bool is_described)
    : system_(system), matrix_(matrix), length_(length), layout_(layout), seed_(seed) {
  if (!is_described) return;
  for (std::uint32_t node = 0; node < matrix.nodes(); ++node) {
    described_.push_back(std::make_unique<gather_content>(matrix, node, length, layout, seed));
    system.nodes[node].memory->describe(described_.back().get());
  }
}

gather_memory_image::~gather_memory_image() {
  if (described_.empty()) return;
  for (const gather_node& each : system_.nodes) each.memory->describe(nullptr);
}

void gather_memory_image::write() const {
  if (!described_.empty()) return;
  for (std::uint32_t node = 0; node < matrix_.nodes(); ++node) write_node(node);
}

std::vector<column_index> gather_memory_image::columns_of(std::uint32_t node) const {
  std::vector<column_index> columns(matrix_.nonzeros_of(node));
  if (!columns.empty()) matrix_.read_columns(node, 0, columns.size(), columns.data());
  return columns;
}

void gather_memory_image::write_node(std::uint32_t node) const {
  rank_core& core = *system_.nodes[node].core;
  const std::uint64_t window = core.resources().window;
  const std::vector<column_index> columns = columns_of(node);
  if (!columns.empty())
    core.debug_write(window + layout_.indices, columns.data(), columns.size() * sizeof columns[0]);
  std::vector<std::byte> property(length_);
  const row_partition& owners = matrix_.columns();
  for (std::uint64_t row = 0; row < owners.rows_of(node); ++row) {
    property_values(seed_, owners.first_row(node) + row).fill(property.data(), length_);
    core.debug_write(window + layout_.properties + row * length_, property.data(), length_);
  }
  std::fill(property.begin(), property.end(), std::byte{poison});
  for (const column_index each : columns)
    core.debug_write(window + layout_.destination + std::uint64_t{each} * length_, property.data(),
                     length_);
}

std::string gather_memory_image::compare_node(std::uint32_t node) const {
  rank_core& core = *system_.nodes[node].core;
  const std::uint64_t place = core.resources().window + layout_.destination;
  std::vector<column_index> columns = columns_of(node);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  std::vector<std::byte> property(length_);
  for (const column_index each : columns) {
    if (matrix_.columns().owner(each) == node) continue;
    core.debug_read(place + std::uint64_t{each} * length_, property.data(), length_);
    if (!property_values(seed_, each).matches(property.data(), length_))
      return fmt::format("property {} is not what node {} has", each,
                         matrix_.columns().owner(each));
  }
  return {};
}

std::string gather_memory_image::mistake_of(std::uint32_t node) const {
  if (described_.empty()) return compare_node(node);
  const gather_content& content = *described_[node];
  if (content.wrong() > 0)
    return fmt::format("{} writes brought wrong bytes, the first of them to property {}",
                       content.wrong(), content.first_wrong());
  if (content.missing() > 0)
    return fmt::format("{} of {} properties did not come", content.missing(), content.distinct());
  return {};
}

}  // namespace heddle
