#include "models/workloads/collective/reference_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"

namespace heddle {
namespace {

template <class T>
std::string names_of(const std::vector<T>& all, std::size_t of) {
  if (all.size() == of) return "all";
  std::vector<std::string_view> names;
  for (const T& each : all) names.push_back(name_of(each));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string types_of(const collective_algorithm& of) {
  constexpr std::size_t every_type = static_cast<std::size_t>(last_dtype) + 1, every_op = 6;
  if (!of.reduced) return "all";
  const std::string types = names_of(of.types, every_type), ops = names_of(of.ops, every_op);
  const std::string added = of.ops.size() == every_op ? types : types + " " + ops;
  return of.moves_any_type ? "all; adds " + added : added;
}

const char* ranks_of(const collective_algorithm& of) {
  switch (of.ranks) {
    case rank_rule::tiles_of_a_mesh:
      if (of.pairs_all_ranks) return "all tiles, row by row, a power of two where each has a chunk";
      return of.needs_masks ? "all tiles, row by row, both sides powers of two"
                            : "all tiles, row by row";
    default:
      return of.needs_sides ? "a torus" : "any";
  }
}

// Of which bytes the tensor of a rank is a multiple where the hardware does the collective; "" for
// any: the algorithm itself is asked.
std::string multiple_of(const collective_algorithm& of, boot_collective collective) {
  constexpr std::uint64_t longest = 4096;
  collective_case asked;
  asked.collective = collective;
  asked.ranks = asked.groups.size = 3;  // a chunk is no power of two
  const auto does = [&](std::uint64_t bytes) {
    asked.bytes = bytes;
    return !of.limit || of.limit(asked).empty();
  };
  for (std::uint64_t bytes = 1; bytes <= longest; bytes *= 2) {
    if (does(bytes)) return bytes == 1 ? "" : fmt::format("{} B", bytes);
    if (does(asked.ranks * bytes)) return fmt::format("{} B x ranks", bytes);
  }
  return {};
}

std::string bytes_of(const collective_algorithm& of) {
  std::vector<std::string> multiples, collectives;  // alike by index
  for (const boot_collective each : of.collectives) {
    const std::string multiple = multiple_of(of, each);
    if (multiple.empty()) continue;
    const auto found = std::find(multiples.begin(), multiples.end(), multiple);
    const auto at = static_cast<std::size_t>(found - multiples.begin());
    if (found == multiples.end()) {
      multiples.push_back(multiple);
      collectives.emplace_back(name_of(each));
    } else {
      collectives[at] += fmt::format(", {}", name_of(each));
    }
  }
  if (multiples.empty()) return "-";
  std::string text = "multiples of " + multiples.front();
  for (std::size_t i = 1; i < multiples.size(); ++i)
    text += fmt::format("; of {}: {}", multiples[i], collectives[i]);
  return text;
}

}  // namespace

std::string algorithm_table() {
  std::string text =
      "| `algorithm` | how | collectives | types | ranks | bytes | needs |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const collective_algorithm& each : algorithm_registry::instance().all()) {
    if (!each.is_named) continue;
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", each.name, each.meaning,
                    names_of(each.collectives, collective_names().size()), types_of(each),
                    ranks_of(each), bytes_of(each), each.hardware.empty() ? "-" : each.hardware);
  }
  return text;
}

}  // namespace heddle
