#include "models/sparse/kernel_times.hpp"

#include <algorithm>
#include <numeric>

namespace heddle {

batch_seconds seconds_of_batches(const nonzero_source& source, std::uint32_t batch,
                                 std::uint32_t elements, sparse_kernel kernel,
                                 const compute_engine& engine) {
  batch_seconds all(source.nodes());
  for (std::uint32_t node = 0; node < source.nodes(); ++node)
    for (const batch_work& each : batches_of(source, node, batch, elements, engine))
      all[node].push_back(seconds_of(each, kernel, elements, engine));
  return all;
}

double gathering_imbalance(const batch_seconds& ready) {
  double last = 0, sum = 0, nodes = 0;
  for (const std::vector<double>& each : ready) {
    if (each.empty()) continue;
    const double end = *std::max_element(each.begin(), each.end());
    last = std::max(last, end);
    sum += end;
    ++nodes;
  }
  return sum > 0 ? last * nodes / sum : 1;
}

kernel_times kernel_times_of(const batch_seconds& ready, const batch_seconds& compute, double suopt,
                             const std::vector<double>& saopt) {
  kernel_times times;
  times.suopt = suopt;
  for (std::size_t node = 0; node < compute.size(); ++node) {
    const double own = std::accumulate(compute[node].begin(), compute[node].end(), 0.0);
    times.one_node += own;
    times.compute = std::max(times.compute, own);
    times.suopt = std::max(times.suopt, own);
    if (!saopt.empty()) times.saopt = std::max({times.saopt, own, saopt[node]});
    const double end = overlapped_end(ready[node], compute[node]);
    if (end <= times.end_to_end) continue;
    times.end_to_end = end;
    times.tail = node;
    times.tail_gathered = *std::max_element(ready[node].begin(), ready[node].end());
  }
  return times;
}

}  // namespace heddle
