#include "models/workloads/collective/reference_table.hpp"

#include <fmt/format.h>

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

}  // namespace

std::string algorithm_table() {
  std::string text =
      "| `algorithm` | how | collectives | types | ranks | needs |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const collective_algorithm& each : algorithm_registry::instance().all()) {
    if (!each.is_named) continue;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", each.name, each.meaning,
                        names_of(each.collectives, collective_names().size()), types_of(each),
                        ranks_of(each), each.hardware.empty() ? "-" : each.hardware);
  }
  return text;
}

}  // namespace heddle
