#include "tests/system/tenants/random_tenants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle {

std::vector<std::vector<int>> random_tenants::deal(int gpus, int tenants, int multiple) {
  std::vector<int> all(static_cast<std::size_t>(gpus));
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), random_);
  std::vector<std::vector<int>> dealt(static_cast<std::size_t>(tenants));
  for (int hand = 0, first = 0; first < gpus; ++hand, first += multiple) {
    std::vector<int>& to =
        dealt[static_cast<std::size_t>(hand < tenants ? hand : pick(0, tenants - 1))];
    for (int i = first; i < first + multiple; ++i) to.push_back(all[static_cast<std::size_t>(i)]);
  }
  return dealt;
}

std::string random_tenants::sizes(int multiple) {
  std::string text;
  for (int more = pick(1, 3); more > 0; --more)
    text += fmt::format("{}{} B", text.empty() ? "" : ", ", multiple * pick(1, 1 << pick(1, 9)));
  return "[" + text + "]";
}

std::string random_tenants::common(const std::string& setup, const std::vector<int>& ranks,
                                   int multiple) {
  std::string names;
  for (const int each : ranks) names += fmt::format("{}'gpu[{}]'", names.empty() ? "" : ", ", each);
  return fmt::format(
      "setup: '{}.cp', ranks: [{}], collective: {}, bytes: {}, dtype: {}, op: {}, repeat: {}, "
      "start: {} ns, explain: off",
      setup, names,
      one_of({"allreduce", "reduce", "reduce_scatter", "allgather", "broadcast", "barrier"}),
      sizes(multiple), one_of({"fp16", "bf16", "fp32", "int32"}), one_of({"sum", "min", "max"}),
      pick(1, 2), pick(0, 1) * pick(0, 20'000));
}

// Ranks ascend, so that those below a switch follow each other, and all have whole packets: trees
// can do every job.
std::string random_tenants::by_trees() {
  const int tenants = pick(2, 4);
  std::string text;
  int number = 0;
  for (std::vector<int>& ranks : deal(12, tenants, 1)) {
    std::sort(ranks.begin(), ranks.end());
    text += fmt::format(
        "{}{{{}, algorithm: {}, trees: {}, fallback: error}}", text.empty() ? "" : ",\n ",
        common(fmt::format("manager[{}]", number++), ranks, 128 * static_cast<int>(ranks.size())),
        one_of({"tree", "[tree, ring]"}), pick(1, 3));
  }
  return "[" + text + "]";
}

// The accelerators have eight streams, and take any number of words.
std::string random_tenants::by_accelerators() {
  const int tenants = pick(2, 4);
  std::string text;
  int number = 0;
  for (const std::vector<int>& ranks : deal(8, tenants, 2)) {
    const int groups = pick(1, 2), streams = pick(1, 8 / tenants / groups);
    text += fmt::format(
        "{}{{{}, algorithm: {}, groups: {}, streams: {}, instructions: {}, addresses: {}}}",
        text.empty() ? "" : ",\n ", common(fmt::format("host[{}]", number++), ranks, 4), "scin",
        groups, streams, one_of({"ahead", "on_demand"}), one_of({"each", "single"}));
  }
  return "[" + text + "]";
}

}  // namespace heddle
