#include "models/workloads/gather/gather_content.hpp"

#include "models/sparse/property_values.hpp"

namespace heddle {

gather_layout layout_of(const nonzero_source& matrix, std::uint32_t length, std::uint64_t data,
                        std::uint64_t alignment) {
  const auto aligned = [alignment](std::uint64_t at) {
    return (at + alignment - 1) / alignment * alignment;
  };
  std::uint64_t most = 0;
  for (std::uint32_t node = 0; node < matrix.nodes(); ++node)
    most = std::max(most, matrix.nonzeros_of(node));
  gather_layout layout;
  layout.properties = aligned(data);
  layout.indices = aligned(layout.properties + matrix.columns().rows_per_node() * length);
  layout.destination = aligned(layout.indices + most * sizeof(column_index));
  layout.end = layout.destination + matrix.columns().rows() * length;
  return layout;
}

gather_content::gather_content(const nonzero_source& matrix, std::uint32_t node,
                               std::uint32_t length, const gather_layout& layout,
                               std::uint64_t seed)
    : matrix_(matrix),
      node_(node),
      length_(length),
      layout_(layout),
      seed_(seed),
      first_own_(matrix.columns().first_row(node)),
      own_(matrix.columns().rows_of(node)),
      nonzeros_(matrix.nonzeros_of(node)),
      columns_(matrix.columns().rows()),
      wanted_((columns_ + 63) / 64),
      arrived_((columns_ + 63) / 64) {}

bool gather_content::holds(std::uint64_t offset, std::uint32_t bytes) const {
  return offset >= layout_.properties && offset + bytes <= layout_.end;
}

void gather_content::read(std::uint64_t offset, std::byte* to, std::uint32_t bytes) {
  if (!to) return;
  if (offset >= layout_.indices && offset < layout_.destination) {
    const std::uint64_t first = (offset - layout_.indices) / sizeof(column_index);
    return read_indices(first, to, bytes / static_cast<std::uint32_t>(sizeof(column_index)));
  }
  if (offset < layout_.indices && bytes == length_) {
    const std::uint64_t index = first_own_ + (offset - layout_.properties) / length_;
    return property_values(seed_, index).fill(to, bytes);
  }
  std::memset(to, 0, bytes);  // nobody has written there
}

void gather_content::read_indices(std::uint64_t first, std::byte* to, std::uint32_t count) {
  read_ahead_.assign(count, 0);
  if (first + count <= nonzeros_) matrix_.read_columns(node_, first, count, read_ahead_.data());
  std::memcpy(to, read_ahead_.data(), count * sizeof(column_index));
  for (const column_index each : read_ahead_)
    if (each - first_own_ >= own_) wanted_[each / 64] |= std::uint64_t{1} << each % 64;
}

void gather_content::write(std::uint64_t offset, const std::byte* from, std::uint32_t bytes) {
  const std::uint64_t index = (offset - layout_.destination) / length_;
  const bool is_place = offset >= layout_.destination && bytes == length_ &&
                        (offset - layout_.destination) % length_ == 0;
  if (!is_place || (from && !property_values(seed_, index).matches(from, bytes))) {
    if (wrong_++ == 0) first_wrong_ = index;
    return;
  }
  arrived_[index / 64] |= std::uint64_t{1} << index % 64;
}

std::uint64_t gather_content::missing() const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    count += static_cast<std::uint64_t>(__builtin_popcountll(wanted_[i] & ~arrived_[i]));
  return count;
}

std::uint64_t gather_content::distinct() const {
  std::uint64_t count = 0;
  for (const std::uint64_t each : wanted_)
    count += static_cast<std::uint64_t>(__builtin_popcountll(each));
  return count;
}

}  // namespace heddle
