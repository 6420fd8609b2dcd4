#include "tests/unit/netlist/toy_units.hpp"

#include "platform/unit/registry.hpp"

namespace heddle {
namespace {

struct toy_parameters : parameter_set {
  parameter<std::uint64_t> number{*this, "number", 7, "its number", "a test"};
  parameter<std::uint64_t> ports{*this, "ports", 2, within(1, 4096), "its ports", "a test"};
  parameter<std::string> label{*this, "label", "plain", "a text", "a test"};
};

struct wire_parameters : parameter_set {
  parameter<std::uint64_t> length{*this, "length", 1, "how long", "a test"};
  parameter<std::uint64_t> vcs{*this, "vcs", 2, "virtual channels", "a test"};
};

struct no_statistics : statistic_set {};

[[maybe_unused]] const bool is_registered = [] {
  registry& types = registry::instance();
  types.add(toy_unit("node", {{"port", "wire", "the one"}}));
  types.add(toy_unit("hub", {{"port[ports]", "wire", "of many"},
                             {"out", "pin", "for binds"},
                             {"in", "pin", "for binds"}}));
  types.add(link_type{"wire", "a toy", [] { return std::make_unique<wire_parameters>(); }});
  return true;
}();

}  // namespace

unit_type toy_unit(const std::string& name, std::vector<port_description> ports) {
  unit_type type;
  type.name = name;
  type.meaning = "a toy";
  type.ports = std::move(ports);
  type.make_parameters = [] { return std::make_unique<toy_parameters>(); };
  type.make_statistics = [] { return std::make_unique<no_statistics>(); };
  return type;
}

}  // namespace heddle
