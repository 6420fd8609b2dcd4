#include "platform/workload/rank_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/run_control.hpp"

namespace heddle {

rank_comparison compare_ranks(const workload_context& context, const expected_tensor& expected) {
  const std::size_t element = size_of(expected.type);
  const std::vector<rank_core*>& ranks = context.cores.ranks;
  rank_comparison found;
  tensor_bytes got;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const expected_part part = expected.for_rank(rank);
    if (part.count == 0) continue;
    if (found.outcome == verdict::not_checked) found.outcome = verdict::verified;
    got.resize(part.count * element);
    ranks[rank]->debug_read(ranks[rank]->resources().window + expected.data + part.begin * element,
                            got.data(), got.size());
    const comparison difference = compare(expected.type, got.data(), part.bytes.data(), part.count);
    found.max_ulp = std::max(found.max_ulp, difference.max_ulp);
    if (rank == 0 && part.begin == 0 && part.count == expected.reference.size())
      found.relative_error =
          relative_error(expected.type, got.data(), expected.reference.data(), part.count);
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
