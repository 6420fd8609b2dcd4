#include "models/workloads/collective/mesh_laws.hpp"

#include <algorithm>
#include <limits>

#include "platform/number/power_of_two.hpp"

namespace heddle::mesh_laws {
namespace {

// The least of it over all ways to cut the beats into equal batches.
template <class Time>
double with_best_batches(std::uint64_t beats, Time time_of) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint64_t batches = 1; batches <= beats; ++batches)
    if (beats % batches == 0) best = std::min(best, time_of(batches, beats / batches));
  return best;
}

template <class Time>
std::uint64_t best_batch(std::uint64_t beats, Time time_of) {
  std::uint64_t best = beats;
  for (std::uint64_t batches = 2; batches <= beats; ++batches) {
    const std::uint64_t batch = (beats + batches - 1) / batches;
    if (time_of(batches, batch) < time_of((beats + best - 1) / best, best)) best = batch;
  }
  return best;
}

double as_double(std::uint64_t value) {
  return static_cast<double>(value);
}

double copy_time(std::uint64_t batch) {
  return neighbor_round_trip + as_double(batch);
}
double sum_time(std::uint64_t batch) {
  return cycles_per_sum * as_double(batch);
}

// Laws that depend on the cut: of so many batches of so many beats.

auto multicast_law(std::uint64_t columns, std::uint64_t rows) {
  return [=](std::uint64_t batches, std::uint64_t batch) {
    const double copy = memory_round_trip + as_double(batch);
    const std::uint64_t in_row = batches - 1 + columns - 1;
    const std::uint64_t in_columns = rows > 1 ? batches - 1 + rows - 1 : 0;
    return copy + as_double(in_row + in_columns) * (copy + step_of_multicast);
  };
}

auto sequential_reduction_law(std::uint64_t columns, std::uint64_t rows) {
  const double delta = 4 * as_double(rows) + 28;
  const auto steps_of = [](std::uint64_t line, std::uint64_t batches) {
    return line > 1 ? as_double(1 + 2 * (line - 2) + batches) : 0;
  };
  return [=](std::uint64_t batches, std::uint64_t batch) {
    const double steps = steps_of(columns, batches) + steps_of(rows, batches);
    return steps * (std::max(copy_time(batch), sum_time(batch)) + delta) - delta;
  };
}

double level_of_tree_reduction(std::uint64_t batches, std::uint64_t batch) {
  const double copy = copy_time(batch), sum = sum_time(batch);
  return copy + step_of_tree + as_double(batches - 1) * (std::max(copy, sum) + step_of_tree) + sum;
}

}  // namespace

double multicast_hardware(std::uint64_t tiles, std::uint64_t beats) {
  return memory_round_trip + as_double(beats + tiles - 1);
}

double multicast_sequential(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats) {
  return with_best_batches(beats, multicast_law(columns, rows));
}

double multicast_sequential(std::uint64_t tiles, std::uint64_t beats) {
  return multicast_sequential(tiles, 1, beats);
}

double multicast_tree(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats) {
  double sum = memory_round_trip + as_double(beats);
  for (const std::uint64_t line : {columns, rows})
    for (std::uint64_t distance = line / 2; distance > 0; distance /= 2)
      sum += tile_round_trip + cycles_per_hop * as_double(distance) + as_double(beats);
  return sum + step_of_multicast * (log2_of(columns) + log2_of(rows) - 1);
}

double multicast_tree(std::uint64_t tiles, std::uint64_t beats) {
  return multicast_tree(tiles, 1, beats);
}

double reduction_hardware(std::uint64_t rows, std::uint64_t beats) {
  return (rows > 1 ? 2 : 1) * (memory_round_trip + as_double(beats));
}

double reduction_sequential(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats) {
  return with_best_batches(beats, sequential_reduction_law(columns, rows));
}

double reduction_tree(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats) {
  const int levels = log2_of(columns) + log2_of(rows);
  return levels * with_best_batches(beats, level_of_tree_reduction);
}

std::uint64_t best_batch_of_multicast(std::uint64_t columns, std::uint64_t rows,
                                      std::uint64_t beats) {
  return best_batch(beats, multicast_law(columns, rows));
}

std::uint64_t best_batch_of_sequential_reduction(std::uint64_t columns, std::uint64_t rows,
                                                 std::uint64_t beats) {
  return best_batch(beats, sequential_reduction_law(columns, rows));
}

std::uint64_t best_batch_of_tree_reduction(std::uint64_t beats) {
  return best_batch(beats, level_of_tree_reduction);
}

}  // namespace heddle::mesh_laws
