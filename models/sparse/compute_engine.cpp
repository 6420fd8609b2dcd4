#include "models/sparse/compute_engine.hpp"

#include <algorithm>
#include <numeric>

namespace heddle {
namespace {

constexpr std::uint64_t element_bytes = 4;
constexpr std::uint64_t nonzero_bytes = 8;
constexpr std::uint64_t line_bytes = 64;

// NetSparse Table 5: the accelerator of a node.
constexpr std::uint64_t accelerator_pes = 128;
constexpr double pe_clock = 1e9;         // Hz
constexpr double hbm_bandwidth = 800e9;  // B/s; 9.6: that of the CPU with HBM is similar
// Assumed: the source prints neither.
constexpr std::uint64_t pe_lanes = 16;                 // multiply-adds of a PE in a cycle
constexpr std::uint64_t accelerator_cache = 32 << 10;  // bytes

// NetSparse 9.6: two Sapphire Rapids servers, one with DDR and one with HBM.
constexpr std::uint64_t ddr_cores = 48, hbm_cores = 56;
// Assumed: the source prints none of these.
constexpr std::uint64_t core_lanes = 32;  // multiply-adds in a cycle: two vector units of 512 bits
constexpr double core_clock = 2e9;        // Hz
constexpr double ddr_bandwidth = 307e9;   // B/s, eight channels of DDR5-4800
constexpr std::uint64_t cache_of_core = 2 << 20;  // bytes, L2

// Operations a second; a multiply-add is two.
constexpr double peak(std::uint64_t units, std::uint64_t lanes, double clock) {
  constexpr std::uint64_t operations = 2;
  return static_cast<double>(units * lanes * operations) * clock;
}

// Least recently used of each set goes. What is kept is a property, or a line of several small
// ones.
class property_lru final {
 public:
  property_lru(std::uint64_t bytes, std::uint64_t property_bytes)
      : per_line_(std::max<std::uint64_t>(1, line_bytes / property_bytes)),
        sets_(std::max<std::uint64_t>(1, bytes / std::max(line_bytes, property_bytes) / ways)),
        lines_(sets_ * ways, UINT64_MAX) {}

  // Whether it was there.
  bool touch(column_index column) {
    const std::uint64_t line = column / per_line_;
    std::uint64_t* const set = lines_.data() + line % sets_ * ways;
    std::uint64_t* const found = std::find(set, set + ways, line);
    const bool is_hit = found != set + ways;
    std::move_backward(set, is_hit ? found : set + ways - 1, is_hit ? found + 1 : set + ways);
    *set = line;
    return is_hit;
  }

 private:
  static constexpr std::uint64_t ways = 8;
  std::uint64_t per_line_, sets_;
  std::vector<std::uint64_t> lines_;  // of a set, the latest first
};

std::uint64_t rows_between(const nonzero_source& source, std::uint32_t node, std::uint64_t& row,
                           std::uint64_t end) {
  const std::uint64_t first = row;
  while (row < source.rows().rows_of(node) && source.first_of_row(node, row + 1) <= end) ++row;
  const bool is_cut = row < source.rows().rows_of(node) && source.first_of_row(node, row) < end;
  return row - first + (is_cut ? 1 : 0);
}

}  // namespace

const std::vector<compute_engine>& compute_engines() {
  static const std::vector<compute_engine> engines = {
      {"accelerator", peak(accelerator_pes, pe_lanes, pe_clock), hbm_bandwidth, accelerator_cache},
      {"cpu_ddr", peak(ddr_cores, core_lanes, core_clock), ddr_bandwidth,
       ddr_cores * cache_of_core},
      {"cpu_hbm", peak(hbm_cores, core_lanes, core_clock), hbm_bandwidth,
       hbm_cores * cache_of_core}};
  return engines;
}

std::vector<batch_work> batches_of(const nonzero_source& source, std::uint32_t node,
                                   std::uint32_t batch, std::uint32_t elements,
                                   const compute_engine& engine) {
  property_lru cache(engine.cache_bytes, elements * element_bytes);
  std::vector<batch_work> batches;
  std::vector<column_index> columns(batch);
  const std::uint64_t all = source.nonzeros_of(node);
  std::uint64_t row = 0;
  for (std::uint64_t first = 0; first < all; first += batch) {
    batch_work work;
    work.nonzeros = std::min<std::uint64_t>(batch, all - first);
    source.read_columns(node, first, work.nonzeros, columns.data());
    for (std::uint64_t i = 0; i < work.nonzeros; ++i)
      if (!cache.touch(columns[i])) ++work.misses;
    work.rows = rows_between(source, node, row, first + work.nonzeros);
    batches.push_back(work);
  }
  return batches;
}

double seconds_of(const batch_work& work, sparse_kernel kernel, std::uint32_t elements,
                  const compute_engine& engine) {
  const std::uint64_t property_bytes = elements * element_bytes;
  const std::uint64_t operations = 2 * elements * work.nonzeros;
  std::uint64_t bytes = work.nonzeros * nonzero_bytes + work.rows * property_bytes +
                        work.misses * std::max(property_bytes, line_bytes);
  if (kernel == sparse_kernel::sddmm) bytes += work.nonzeros * element_bytes;
  return std::max(static_cast<double>(operations) / engine.operations,
                  static_cast<double>(bytes) / engine.memory);
}

double overlapped_end(const std::vector<double>& ready, const std::vector<double>& seconds) {
  std::vector<std::size_t> order(ready.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ready[a] < ready[b]; });
  double end = 0;
  for (const std::size_t batch : order) end = std::max(end, ready[batch]) + seconds[batch];
  return end;
}

}  // namespace heddle
