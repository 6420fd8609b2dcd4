#include "transactors/fabric/routing/policies.hpp"

#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "transactors/fabric/routing/dimension_order.hpp"
#include "transactors/fabric/routing/dragonfly.hpp"
#include "transactors/fabric/routing/route_list.hpp"
#include "transactors/fabric/routing/up_down.hpp"
#include "transactors/fabric/shortest.hpp"

namespace heddle {
namespace {

policy_maker read_shortest(yaml_mapping&) {
  return [](const topology& net, const auto&) { return std::make_unique<shortest_paths>(net); };
}

// `root`: a glob, or a list of them.
policy_maker read_up_down(yaml_mapping& section) {
  const auto root = section.optional("root");
  const std::vector<yaml_node> globs = root ? as_list(*root) : std::vector<yaml_node>{};
  return [globs](const topology& net, const auto&) {
    std::vector<topology::index> roots;
    for (const yaml_node& glob : globs) {
      const std::string text = as_text(glob);
      const std::size_t before = roots.size();
      std::vector<std::string> names;
      for (topology::index at = 0; at < net.switches(); ++at) {
        names.push_back(net.name_of(at));
        if (glob_match(text, names.back())) roots.push_back(at);
      }
      if (roots.size() == before)
        throw user_error(glob.place(),
                         "no switch matches '" + text + "'" + did_you_mean(text, names));
    }
    return std::make_unique<up_down_paths>(net, roots);
  };
}

std::string read_switches(yaml_mapping& section) {
  const auto glob = section.optional("switches");
  return glob ? as_text(*glob) : "*";
}

policy_maker read_dimension_order(yaml_mapping& section) {
  dimension_order_settings settings;
  settings.grid = read_grid(section);
  if (const auto node = section.optional("datelines"))
    settings.has_datelines = as_choice(*node, "datelines", {"on", "off"}) == "on";
  return [settings](const topology& net, const auto&) {
    return std::make_unique<dimension_order>(net, settings);
  };
}

policy_maker read_dragonfly(yaml_mapping& section) {
  dragonfly_settings settings;
  const yaml_node groups = section.required("groups");
  settings.groups = static_cast<topology::index>(as_integer(groups, 1, 65536));
  settings.switches = read_switches(section);
  settings.place = groups.place();
  return [settings](const topology& net, const auto&) {
    return std::make_unique<dragonfly_paths>(net, settings);
  };
}

policy_maker read_table(yaml_mapping& section) {
  std::vector<listed_route> routes;
  for (const yaml_node& item : as_list(section.required("routes"))) {
    yaml_mapping route(item, "route");
    listed_route& added = routes.emplace_back();
    added.at = as_text(route.required("at"));
    added.to = as_text(route.required("to"));
    for (const yaml_node& each : as_list(route.required("through")))
      added.through.push_back(as_text(each));
    added.place = item.place();
    route.finish();
    if (added.through.empty()) throw user_error(item.place(), "a route names at least one port");
  }
  return [routes](const topology& net, const std::vector<endpoint_record>& endpoints) {
    return std::make_unique<listed_routes>(net, endpoints, routes);
  };
}

}  // namespace

grid_shape read_grid(yaml_mapping& section) {
  grid_shape grid;
  const yaml_node sides = section.required("sides");
  for (const yaml_node& each : as_list(sides))
    grid.sides.push_back(static_cast<topology::index>(as_integer(each, 1, 65536)));
  if (grid.sides.empty()) throw user_error(sides.place(), "a grid has at least one side");
  grid.switches = read_switches(section);
  grid.place = sides.place();
  return grid;
}

const std::vector<policy_type>& policy_types() {
  static const std::vector<policy_type> all = {
      {"shortest", "all paths with the fewest hops", {}, read_shortest},
      {"up_down",
       "up towards the roots, then down: free of deadlock in any graph",
       {"root"},
       read_up_down},
      {"dimension_order",
       "one coordinate of a torus, mesh or HyperX after the other",
       {"sides", "switches", "datelines"},
       read_dimension_order},
      {"dragonfly",
       "a local hop, a global one, a local one",
       {"groups", "switches"},
       read_dragonfly},
      {"table", "next hops that the netlist lists", {"routes"}, read_table}};
  return all;
}

}  // namespace heddle
