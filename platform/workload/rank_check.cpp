#include "platform/workload/rank_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "platform/services/run_control.hpp"

namespace heddle {
namespace {

// Tensors are compared in slices that the cache holds.
constexpr std::size_t slice_elements = 1 << 16;

void append(comparison& whole, const comparison& slice, std::size_t begin) {
  if (!slice.identical && whole.identical) whole.first_difference = begin + slice.first_difference;
  whole.identical &= slice.identical;
  whole.mismatches += slice.mismatches;
  whole.max_ulp = std::max(whole.max_ulp, slice.max_ulp);
}

class rank_comparer {
 public:
  rank_comparer(const expected_tensor& expected, rank_core& rank)
      : expected_(expected), rank_(rank), window_(rank.resources().window + expected.data) {}

  comparison compare_bits(const expected_part& part, bool measures_error) {
    comparison whole;
    const std::size_t element = size_of(expected_.type);
    for (std::size_t done = 0; done < part.count; done += slice_elements) {
      const std::size_t count = std::min(slice_elements, part.count - done);
      got_.resize(count * element);
      rank_.debug_read(window_ + (part.begin + done) * element, got_.data(), got_.size());
      append(whole, compare(expected_.type, got_.data(), part.bits() + done * element, count),
             done);
      if (measures_error) add_error(part.begin + done, count);
    }
    return whole;
  }
  double relative_error() const { return error_.relative(); }

 private:
  void add_error(std::size_t begin, std::size_t count) {
    reference_.resize(count);
    expected_.reference(begin, count, reference_.data());
    error_.add(expected_.type, got_.data(), reference_.data(), count);
  }

  const expected_tensor& expected_;
  rank_core& rank_;
  const std::uint64_t window_;
  error_norm error_;
  tensor_bytes got_;
  std::vector<double> reference_;
};

}  // namespace

rank_comparison compare_ranks(const workload_context& context, const expected_tensor& expected) {
  const std::vector<rank_core*>& ranks = context.cores.ranks;
  rank_comparison found;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const expected_part part = expected.for_rank(rank);
    if (part.count == 0) continue;
    if (found.outcome == verdict::not_checked) found.outcome = verdict::verified;
    rank_comparer comparer(expected, *ranks[rank]);
    const comparison difference = comparer.compare_bits(part, rank == 0 && expected.reference);
    found.max_ulp = std::max(found.max_ulp, difference.max_ulp);
    if (rank == 0) found.relative_error = comparer.relative_error();
    if (difference.identical) continue;
    found.outcome = verdict::failed;
    context.sim.service<run_control>().fail(fmt::format(
        "wrong data: {}: rank {} ({}): {} of {} elements differ, first element {}, up to {} ULP",
        expected.what, rank, ranks[rank]->rank_path(), difference.mismatches, part.count,
        part.begin + difference.first_difference, difference.max_ulp));
  }
  return found;
}

}  // namespace heddle
