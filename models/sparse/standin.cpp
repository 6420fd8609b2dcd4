#include "models/sparse/standin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/sparse/lognormal_spread.hpp"
#include "models/sparse/standin_columns.hpp"
#include "platform/random/split_mix.hpp"

namespace heddle {
namespace {

constexpr double most_remote_share = 0.95;  // of a slice
constexpr std::size_t distances = 256;

std::uint64_t rounded(double value) {
  return static_cast<std::uint64_t>(std::llround(value));
}

row_partition partition_of(const standin_description& of, std::uint32_t nodes, double scale) {
  const double rows = static_cast<double>(of.source.rows) * nodes / of.source.nodes * scale;
  return {std::max<std::uint64_t>(rounded(rows), nodes), nodes};
}

// Where `count` nonzeros have been used up after that share of all slices or nodes.
std::uint64_t cumulated(double sum, std::size_t parts, std::uint64_t count) {
  const double share = std::min(1.0, sum / static_cast<double>(parts));
  return rounded(share * static_cast<double>(count));
}

// Differences between slices shrink where the fullest one would be all remote.
std::vector<double> slice_sizes(std::vector<double> sizes, double share) {
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  if (share * largest <= most_remote_share) return sizes;
  const double kept = std::max(0.0, (most_remote_share / share - 1) / (largest - 1));
  for (double& each : sizes) each = 1 + (each - 1) * kept;
  return sizes;
}

}  // namespace

standin::standin(const standin_description& description, std::uint32_t nodes, double scale)
    : nonzero_source(partition_of(description, nodes, scale),
                     partition_of(description, nodes, scale)),
      description_(description),
      name_(scale == 1 ? fmt::format("{} stand-in", description.name)
                       : fmt::format("{} stand-in, scale {:g}", description.name, scale)),
      nodes_(nodes) {
  const standin_source& source = description_.source;
  const standin_structure& structure = description_.structure;
  const std::vector<double> quantiles = shuffled_quantiles(nodes, structure.seed);
  const double deviation = deviation_of_tail(source.nodes, source.tail);
  const std::vector<double> remote = lognormal_sizes(quantiles, deviation);
  const std::vector<double> all =
      lognormal_sizes(quantiles, deviation_of_tail(source.nodes, structure.imbalance));
  const std::uint64_t nonzeros =
      rounded(static_cast<double>(source.nonzeros) * nodes / source.nodes * scale);
  const double mean_columns = description_.remote_columns() * scale;
  double sum = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    node_layout& layout = nodes_[node];
    const std::uint64_t before = cumulated(sum, nodes, nonzeros);
    sum += all[node];
    layout.nonzeros = cumulated(sum, nodes, nonzeros) - before;
    layout.first_row = rows().first_row(node);
    layout.rows = rows().rows_of(node);
    layout.stream = split_mix::start_of_stream(structure.seed + 5, node);
    const standin_counts counts{rounded(mean_columns * remote[node]), mean_columns};
    layout.columns = standin_columns(structure, columns(), node, counts);
    const double uses = static_cast<double>(layout.columns.size()) * description_.uses();
    layout.remote =
        rounded(std::min(uses, most_remote_share * static_cast<double>(layout.nonzeros)));
    divide_slices(layout);
  }
  for (std::size_t i = 0; i < distances; ++i)
    distances_.push_back(static_cast<std::uint8_t>(
        std::pow(distances, (static_cast<double>(i) + 0.5) / distances) - 1));
  const double visits = structure.visits;
  for (double each = 1; each < visits; ++each) visit_shares_.push_back(each / visits);
  visit_shares_.push_back(1);
}

void standin::divide_slices(node_layout& node) const {
  const double deviation = deviation_of_tail(description_.source.nodes, description_.source.tail);
  const double share = static_cast<double>(node.remote) /
                       static_cast<double>(std::max<std::uint64_t>(1, node.nonzeros));
  const std::vector<double> sizes =
      slice_sizes(lognormal_sizes(shuffled_quantiles(slices, node.stream), deviation), share);
  double sum = 0;
  node.remote_before = {0};
  std::uint64_t planned = 0;
  for (std::uint64_t slice = 0; slice < slices; ++slice) {
    sum += sizes[slice];
    const std::uint64_t wanted = cumulated(sum, slices, node.remote) - planned;
    planned += wanted;
    const std::uint64_t room = node.slice_begin(slice + 1) - node.slice_begin(slice);
    node.remote_before.push_back(node.remote_before.back() + std::min(wanted, room));
  }
  node.remote = node.remote_before.back();
}

void standin::read_columns(std::uint32_t node, std::uint64_t first, std::size_t count,
                           column_index* to) const {
  const node_layout& layout = nodes_[node];
  const std::uint64_t end = first + count;
  if (first == end) return;
  std::uint64_t slice = first * slices / layout.nonzeros;
  while (layout.slice_begin(slice + 1) <= first) ++slice;
  while (first < end) {
    const std::uint64_t slice_begin = layout.slice_begin(slice);
    const std::uint64_t slice_end = std::min(end, layout.slice_begin(slice + 1));
    while (first < slice_end) {
      const std::uint64_t block_end = slice_begin + ((first - slice_begin) / block + 1) * block;
      const std::uint64_t stop = std::min(block_end, slice_end);
      fill_block(layout, slice, first, stop, to);
      to += stop - first;
      first = stop;
    }
    ++slice;
  }
}

void standin::fill_block(const node_layout& node, std::uint64_t slice, std::uint64_t begin,
                         std::uint64_t end, column_index* to) const {
  const std::uint64_t slice_begin = node.slice_begin(slice);
  const std::uint64_t slice_size = node.slice_begin(slice + 1) - slice_begin;
  const std::uint64_t remote = node.remote_before[slice + 1] - node.remote_before[slice];
  const std::uint64_t from = (begin - slice_begin) / block * block;
  fill_local(node, slice_begin + from, begin, end - begin, to);
  const std::uint64_t size = std::min(block, slice_size - from);
  const std::uint64_t before = from * remote / slice_size;
  const std::uint64_t count = (from + size) * remote / slice_size - before;
  // The remote ones of a block follow each other from a random place on, around its end.
  const std::uint64_t start = split_mix::output(node.stream, slice_begin + from) % size;
  const auto fill = [&](std::uint64_t place, std::uint64_t skipped, std::uint64_t many) {
    const std::uint64_t low = std::max(place, begin - slice_begin - from);
    const std::uint64_t high = std::min(place + many, end - slice_begin - from);
    if (low >= high) return;
    fill_remote(node, node.remote_before[slice] + before + skipped + (low - place), high - low,
                to + (low - (begin - slice_begin - from)));
  };
  const std::uint64_t straight = std::min(count, size - start);
  fill(start, 0, straight);
  fill(0, straight, count - straight);
}

void standin::fill_local(const node_layout& node, std::uint64_t block_begin, std::uint64_t begin,
                         std::uint64_t count, column_index* to) const {
  if (node.rows == 0) return;
  const auto spread = std::max<std::uint64_t>(
      1, rounded(description_.structure.local * static_cast<double>(node.rows)));
  std::uint64_t lowest = block_begin * node.rows / node.nonzeros + node.rows - spread / 2;
  if (lowest >= node.rows) lowest -= node.rows;
  constexpr std::uint64_t draws = 4;  // of 16 bits from one random number
  std::uint64_t bits = split_mix::output(~node.stream, begin / draws);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t position = begin + i;
    if (position % draws == 0) bits = split_mix::output(~node.stream, position / draws);
    const std::uint64_t drawn = bits >> (position % draws * 16) & 0xffff;
    std::uint64_t row = lowest + (drawn * spread >> 16);
    if (row >= node.rows) row -= node.rows;
    to[i] = static_cast<column_index>(node.first_row + row);
  }
}

void standin::fill_remote(const node_layout& node, std::uint64_t first, std::uint64_t count,
                          column_index* to) const {
  while (count > 0) {
    const std::uint64_t done = fill_stretch(node, first, count, to);
    first += done;
    count -= done;
    to += done;
  }
}

// Rounds divide the remote nonzeros of a node evenly. In each of them every visit goes on by the
// same share of its columns.
std::uint64_t standin::fill_stretch(const node_layout& node, std::uint64_t first,
                                    std::uint64_t count, column_index* to) const {
  const std::uint64_t distinct = node.columns.size();
  const std::uint64_t rounds = std::max(slices, distinct / distances);
  std::uint64_t round = first * rounds / node.remote;
  while ((round + 1) * node.remote / rounds <= first) ++round;
  const std::uint64_t round_begin = round * node.remote / rounds;
  const std::uint64_t round_size = (round + 1) * node.remote / rounds - round_begin;
  const auto end_of = [&](std::size_t each) {
    return each + 1 == visit_shares_.size()
               ? round_size
               : static_cast<std::uint64_t>(visit_shares_[each] * static_cast<double>(round_size));
  };
  std::size_t visit = 0;
  while (round_begin + end_of(visit) <= first) ++visit;
  const std::uint64_t begin = round_begin + (visit == 0 ? 0 : end_of(visit - 1));
  const std::uint64_t end = round_begin + end_of(visit);

  // The last visit is a part of one: its share is shorter than the first one's.
  const double weight = std::min(
      1.0, (visit_shares_[visit] - (visit == 0 ? 0 : visit_shares_[visit - 1])) / visit_shares_[0]);
  const auto visits = static_cast<double>(visit_shares_.size());
  const std::uint64_t visited = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(weight * static_cast<double>(distinct)));
  const double delay = visit == 0 ? 0 : std::exp2(-3 * (1 - static_cast<double>(visit) / visits));
  const std::uint64_t columns_begin = round * visited / rounds;
  const std::uint64_t columns_count = (round + 1) * visited / rounds - columns_begin;
  const std::uint64_t shifted =
      columns_begin + static_cast<std::uint64_t>(delay * static_cast<double>(visited));

  const std::uint64_t size = end - begin, stop = std::min(count, end - first);
  std::uint64_t column = (first - begin) * columns_count / size;
  std::uint64_t rest = (first - begin) * columns_count % size;
  bool is_new = first == begin || (first - begin - 1) * columns_count / size != column;
  for (std::uint64_t i = 0; i < stop; ++i) {
    std::uint64_t at = column;
    if (!is_new) {
      const std::uint64_t bits = split_mix::output(node.stream + 1, first + i);
      at -= std::min<std::uint64_t>(column, distances_[bits % distances] + 1U);
    }
    at += shifted;
    while (at >= visited) at -= visited;
    to[i] = node.columns[at];
    rest += columns_count;
    is_new = rest >= size;
    while (rest >= size) {
      rest -= size;
      ++column;
    }
  }
  return stop;
}

void standin::read_values(std::uint32_t node, std::uint64_t first, std::size_t count,
                          double* to) const {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = split_mix::output(nodes_[node].stream + 2, first + i);
    to[i] = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
  }
}

std::uint64_t standin::first_of_row(std::uint32_t node, std::uint64_t row) const {
  const node_layout& layout = nodes_[node];
  return layout.rows == 0 ? 0 : row * layout.nonzeros / layout.rows;
}

}  // namespace heddle
