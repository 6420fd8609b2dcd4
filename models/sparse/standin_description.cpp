#include "models/sparse/standin_description.hpp"

#include <fmt/format.h>

#include <limits>

#include "models/sparse/matrix_market.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

constexpr double unlimited = std::numeric_limits<double>::max();

double number(yaml_mapping& mapping, const std::string& key, double least, double most) {
  const yaml_node node = mapping.required(key);
  const double value = as_double(node);
  if (value < least || value > most)
    throw user_error(node.place(),
                     most == unlimited
                         ? fmt::format("{} is at least {}, not {}", key, least, value)
                         : fmt::format("{} is from {} to {}, not {}", key, least, most, value));
  return value;
}

std::uint64_t count(yaml_mapping& mapping, const std::string& key, std::uint64_t most) {
  return static_cast<std::uint64_t>(
      as_integer(mapping.required(key), 1, static_cast<std::int64_t>(most)));
}

standin_source read_source(yaml_mapping mapping) {
  standin_source source;
  source.rows = count(mapping, "rows", most_matrix_rows);
  source.nonzeros = count(mapping, "nonzeros", std::uint64_t{1} << 40);
  source.nodes = static_cast<std::uint32_t>(count(mapping, "nodes", 1 << 16));
  if (const auto node = mapping.optional("batch"))
    source.batch = static_cast<std::uint32_t>(as_integer(*node, 1, 1 << 24));
  source.unaware = number(mapping, "unaware", 0, unlimited);
  source.aware = number(mapping, "aware", 0, unlimited);
  source.destinations = number(mapping, "destinations", 1, 64);
  source.slices = number(mapping, "slices", 1, 64);
  source.tail = number(mapping, "tail", 1, source.nodes);
  source.sharing = number(mapping, "sharing", 0, 1);
  mapping.finish();
  return source;
}

standin_structure read_structure(yaml_mapping mapping, const standin_source& source) {
  standin_structure structure;
  structure.run = number(mapping, "run", 1, unlimited);
  structure.band = number(mapping, "band", 0, 1);
  structure.hubs = number(mapping, "hubs", 0, 1);
  structure.pool = number(mapping, "pool", 1, unlimited);
  structure.visits = number(mapping, "visits", 1, 1 + source.aware);
  structure.imbalance = number(mapping, "imbalance", 1, source.nodes);
  structure.local = number(mapping, "local", 0, 1);
  structure.seed = as_unsigned(mapping.required("seed"));
  mapping.finish();
  return structure;
}

}  // namespace

double standin_description::remote_columns() const {
  const double nodes = source.nodes;
  return static_cast<double>(source.rows) * (nodes - 1) / nodes / (1 + source.unaware);
}

standin_description read_standin_description(const std::string& path) {
  yaml_mapping mapping(parse_yaml_file(path), "stand-in");
  standin_description description;
  description.place = mapping.node().place();
  description.name = as_text(mapping.required("standin"));
  mapping.optional("meaning");
  description.source = read_source({mapping.required("source"), "source"});
  description.structure =
      read_structure({mapping.required("structure"), "structure"}, description.source);
  mapping.finish();
  const double remote =
      description.remote_columns() * description.uses() * description.source.nodes;
  if (remote >= static_cast<double>(description.source.nonzeros))
    throw user_error(description.place,
                     fmt::format("the redundancies ask for {:.0f} remote nonzeros of {}", remote,
                                 description.source.nonzeros));
  return description;
}

}  // namespace heddle
