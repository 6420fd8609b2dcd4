#include "models/sparse/matrix_structure.hpp"

#include <algorithm>

#include "models/sparse/standin_columns.hpp"

namespace heddle {
namespace {

constexpr std::size_t window = 64;

double ratio(double over, double under) {
  return under == 0 ? 0 : over / under;
}

double ratio(std::uint64_t over, std::uint64_t under) {
  return ratio(static_cast<double>(over), static_cast<double>(under));
}

// Counts the different owners of each window of remote nonzeros.
class owner_windows final {
 public:
  explicit owner_windows(const row_partition& columns)
      : columns_(columns), seen_(columns.nodes()) {}

  void add(column_index column, node_structure& node) {
    // Neighbors in the stream mostly have the same owner: no division for them.
    if (column < first_ || column >= end_) {
      owner_ = columns_.owner(column);
      first_ = columns_.first_row(owner_);
      end_ = first_ + columns_.rows_of(owner_);
    }
    if (seen_[owner_] != number_) {
      seen_[owner_] = number_;
      ++owners_;
    }
    if (++size_ < window) return;
    ++node.windows;
    node.window_owners += owners_;
    restart();
  }
  void restart() {
    ++number_;
    size_ = 0;
    owners_ = 0;
  }

 private:
  const row_partition& columns_;
  std::vector<std::uint64_t> seen_;  // the last window with that owner
  std::uint64_t number_ = 1, owners_ = 0;
  std::size_t size_ = 0;
  std::uint32_t owner_ = 0;
  std::uint64_t first_ = 0, end_ = 0;
};

class structure_count final {
 public:
  structure_count(const nonzero_source& source, std::uint64_t slices)
      : source_(source),
        slices_(slices),
        windows_(source.columns()),
        last_slice_(source.columns().rows()),
        nodes_asking_(source.columns().rows()) {}

  matrix_structure result() {
    for (std::uint32_t node = 0; node < source_.nodes(); ++node) {
      if (node % standin_group == 0) finish_group();
      add_node(node);
    }
    finish_group();
    result_.columns = source_.columns().rows();
    for (const node_structure& each : result_.nodes) {
      result_.nonzeros += each.nonzeros;
      result_.remote += each.remote;
      result_.remote_columns += each.remote_columns;
      result_.slice_columns += each.slice_columns;
    }
    return std::move(result_);
  }

 private:
  void add_node(std::uint32_t node) {
    node_structure structure;
    structure.nonzeros = source_.nonzeros_of(node);
    std::fill(last_slice_.begin(), last_slice_.end(), std::uint8_t{0});
    windows_.restart();
    const std::uint64_t rows = source_.rows().rows_of(node);
    for (std::uint64_t slice = 0; slice < slices_; ++slice)
      add_slice(node, structure, slice, source_.first_of_row(node, slice * rows / slices_),
                source_.first_of_row(node, (slice + 1) * rows / slices_));
    result_.nodes.push_back(structure);
  }

  void add_slice(std::uint32_t node, node_structure& structure, std::uint64_t slice,
                 std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t own = source_.columns().first_row(node);
    const std::uint64_t own_size = source_.columns().rows_of(node);
    const auto mark = static_cast<std::uint8_t>(slice + 1);
    std::uint64_t of_slice = 0;
    while (begin < end) {
      const std::size_t count = std::min<std::uint64_t>(end - begin, buffer_.size());
      source_.read_columns(node, begin, count, buffer_.data());
      begin += count;
      for (std::size_t i = 0; i < count; ++i) {
        const column_index column = buffer_[i];
        if (column - own < own_size) continue;
        ++structure.remote;
        windows_.add(column, structure);
        if (last_slice_[column] == mark) continue;
        ++of_slice;
        if (last_slice_[column] == 0) {
          ++structure.remote_columns;
          ++nodes_asking_[column];
        }
        last_slice_[column] = mark;
      }
    }
    structure.slice_columns += of_slice;
    structure.largest_slice = std::max(structure.largest_slice, of_slice);
  }

  void finish_group() {
    for (std::uint8_t& each : nodes_asking_) {
      if (each > 1) result_.shared_columns += each;
      each = 0;
    }
  }

  const nonzero_source& source_;
  const std::uint64_t slices_;
  owner_windows windows_;
  std::vector<std::uint8_t> last_slice_;    // from 1; 0: not asked for
  std::vector<std::uint8_t> nodes_asking_;  // of the group
  std::vector<column_index> buffer_ = std::vector<column_index>(1 << 16);
  matrix_structure result_;
};

}  // namespace

double matrix_structure::unaware() const {
  if (remote_columns == 0) return 0;
  const double nodes_count = static_cast<double>(nodes.size());
  return static_cast<double>(columns) * (nodes_count - 1) / static_cast<double>(remote_columns) - 1;
}

double matrix_structure::aware() const {
  return remote_columns == 0 ? 0 : ratio(remote, remote_columns) - 1;
}

double matrix_structure::destinations() const {
  std::uint64_t owners = 0, windows = 0;
  for (const node_structure& each : nodes) {
    owners += each.window_owners;
    windows += each.windows;
  }
  return ratio(owners, windows);
}

double matrix_structure::remote_share() const {
  return ratio(remote, nonzeros);
}

double matrix_structure::slices() const {
  return ratio(slice_columns, remote_columns);
}

double matrix_structure::sharing() const {
  return ratio(shared_columns, remote_columns);
}

double matrix_structure::tail() const {
  std::uint64_t most = 0;
  for (const node_structure& each : nodes) most = std::max(most, each.remote_columns);
  return ratio(most * nodes.size(), remote_columns);
}

double matrix_structure::imbalance() const {
  std::uint64_t most = 0;
  for (const node_structure& each : nodes) most = std::max(most, each.nonzeros);
  return ratio(most * nodes.size(), nonzeros);
}

matrix_structure structure_of(const nonzero_source& source, std::uint32_t slices) {
  return structure_count(source, slices).result();
}

}  // namespace heddle
