#include "models/sparse/standin_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platform/random/split_mix.hpp"

namespace heddle {
namespace {

double uniform(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// A stretch of columns that is taken as a whole.
struct column_run {
  std::uint64_t first = 0, count = 0;
};

// Runs at equal distances over all columns, each of a length of its own, up to half the distance:
// the other half is free for a pool that is shifted by as much.
class run_pool final {
 public:
  enum class half { first, second };
  run_pool(std::uint64_t columns, std::uint64_t runs, double mean, std::uint64_t seed, half place)
      : columns_(columns),
        runs_(std::clamp<std::uint64_t>(runs, 1, columns)),
        mean_(mean),
        stream_(split_mix::start_of_stream(seed, runs)),
        place_(place) {}

  std::uint64_t runs() const { return runs_; }
  // `columns` is below 2^32, so nothing overflows.
  column_run at(std::uint64_t run) const {
    const std::uint64_t begin = run * columns_ / runs_, end = (run + 1) * columns_ / runs_;
    const std::uint64_t middle = (begin + end) / 2;
    const std::uint64_t drawn = length(split_mix::output(stream_, run));
    if (place_ == half::second) return {middle, std::min(drawn, end - middle)};
    return {begin, std::min(drawn, middle - begin)};
  }
  std::uint64_t length(std::uint64_t bits) const {
    const double drawn = std::ceil(std::log1p(-uniform(bits)) / std::log1p(-1 / (mean_ + 1e-9)));
    return static_cast<std::uint64_t>(std::max(1.0, drawn));
  }

 private:
  std::uint64_t columns_, runs_;
  double mean_;
  std::uint64_t stream_;
  half place_;
};

// Every number below `size` once, in an order that looks random.
class visiting_order final {
 public:
  visiting_order(std::uint64_t size, std::uint64_t bits)
      : size_(size), step_((bits >> 32) % size), at_((bits & UINT32_MAX) % size) {
    while (std::gcd(step_, size_) != 1) ++step_;
  }
  bool is_done() const { return done_ == size_; }
  std::uint64_t next() {
    ++done_;
    at_ = (at_ + step_) % size_;
    return at_;
  }

 private:
  std::uint64_t size_, step_, at_, done_ = 0;
};

class column_walk final {
 public:
  column_walk(const standin_structure& structure, const row_partition& columns, std::uint32_t node,
              const standin_counts& counts)
      : structure_(structure),
        columns_(columns),
        node_(node),
        counts_(counts),
        // A band has two ends, also where a matrix is small.
        run_(std::max(1.0, std::min(structure.run, counts.mean_columns / 2))),
        stream_(split_mix::start_of_stream(structure.seed + 1, node)),
        region_(columns.rows(), runs_in_pool(), run_,
                split_mix::mix(structure.seed + 2) + node / standin_group, run_pool::half::first),
        hubs_(columns.rows(), runs_in_pool(), run_, split_mix::mix(structure.seed + 3),
              run_pool::half::second),
        region_order_(region_.runs(), split_mix::output(stream_, 0)),
        left_(columns.first_row(node)),
        right_(columns.first_row(node) + columns.rows_of(node)) {
    choose_hubs();
  }

  std::vector<column_index> result() {
    found_.reserve(counts_.columns);
    for (std::uint64_t draw = 1; found_.size() < counts_.columns; ++draw) {
      const double choice = uniform(split_mix::output(stream_, 2 * draw));
      const std::uint64_t bits = split_mix::output(stream_, 2 * draw + 1);
      const double hubs_end = structure_.band + structure_.hubs * (1 - structure_.band);
      if (choice >= structure_.band && choice < hubs_end && next_hub_ < chosen_.size())
        add(hubs_.at(chosen_[next_hub_++]));
      else if (choice >= structure_.band && !region_order_.is_done())
        add(region_.at(region_order_.next()));
      else if (!extend_band(bits))
        break;
    }
    return std::move(found_);
  }

 private:
  std::uint64_t runs_in_pool() const {
    const double share = (1 - structure_.band) * counts_.mean_columns / run_;
    return static_cast<std::uint64_t>(std::ceil(share * structure_.pool));
  }

  // Hub r is taken with probability min(1, c / (r + 1)); c makes the expected number right.
  void choose_hubs() {
    const double wanted =
        (1 - structure_.band) * structure_.hubs * static_cast<double>(counts_.columns) / run_;
    if (wanted < 1) return;
    const auto size = static_cast<double>(hubs_.runs());
    double low = 0, high = size;
    for (int step = 0; step < 60; ++step) {
      const double c = (low + high) / 2;
      const double sure = std::min(c, size);
      const double expected =
          sure < 1 ? c * (std::log(size) + 0.5772) : sure + c * std::log(size / sure);
      (expected < wanted ? low : high) = c;
    }
    const std::uint64_t stream = split_mix::start_of_stream(structure_.seed + 4, node_);
    for (std::uint64_t hub = 0; hub < hubs_.runs(); ++hub)
      if (uniform(split_mix::output(stream, hub)) * static_cast<double>(hub + 1) < low)
        chosen_.push_back(hub_at(hub));
    for (std::uint64_t i = chosen_.size(); i > 1; --i)
      std::swap(chosen_[i - 1], chosen_[split_mix::output(~stream, i) % i]);
  }

  // Ranks are spread over the matrix, the same way for all nodes.
  std::uint64_t hub_at(std::uint64_t rank) const {
    std::uint64_t step = hubs_.runs() * 5 / 8 + 1;
    while (std::gcd(step, hubs_.runs()) != 1) ++step;
    return rank * step % hubs_.runs();
  }

  void add(const column_run& run) {
    for (std::uint64_t i = 0; i < run.count && found_.size() < counts_.columns; ++i)
      if (const std::uint64_t column = run.first + i; columns_.owner(column) != node_) take(column);
  }

  // Pools are apart from each other, but not from the band.
  void take(std::uint64_t column) {
    const bool is_mixed = structure_.band > 0 && structure_.band < 1;
    if (is_mixed) taken_.resize(columns_.rows());
    if (is_mixed && taken_[column]) return;
    if (is_mixed) taken_[column] = true;
    found_.push_back(static_cast<column_index>(column));
  }

  // Ends take turns; where the matrix ends, the other one goes on.
  bool extend_band(std::uint64_t bits) {
    const bool can_go_left = left_ > 0, can_go_right = right_ < columns_.rows();
    if (!can_go_left && !can_go_right) return false;
    is_left_ = (!is_left_ && can_go_left) || !can_go_right;
    // A run that takes all of an end is as long as that.
    const bool is_whole = structure_.run >= counts_.mean_columns / 2;
    const std::uint64_t drawn = is_whole ? (counts_.columns + 1) / 2 : hubs_.length(bits);
    std::uint64_t length = std::min(drawn, counts_.columns - found_.size());
    length = std::min(length, is_left_ ? left_ : columns_.rows() - right_);
    for (; length > 0; --length) take(is_left_ ? --left_ : right_++);
    return true;
  }

  const standin_structure& structure_;
  const row_partition& columns_;
  std::uint32_t node_;
  const standin_counts& counts_;
  double run_;
  std::uint64_t stream_;
  run_pool region_, hubs_;
  visiting_order region_order_;
  std::vector<std::uint64_t> chosen_;
  std::size_t next_hub_ = 0;
  std::uint64_t left_, right_;
  bool is_left_ = false;
  std::vector<column_index> found_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<column_index> standin_columns(const standin_structure& structure,
                                          const row_partition& columns, std::uint32_t node,
                                          const standin_counts& counts) {
  return column_walk(structure, columns, node, counts).result();
}

}  // namespace heddle
