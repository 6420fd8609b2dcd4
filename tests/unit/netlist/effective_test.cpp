// What a run says of the values that it used.
#include "platform/netlist/effective.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/netlist/toy_units.hpp"

using namespace heddle;

TEST_CASE("overrides of parameters of units calculate with the params of the netlist",
          "[netlist]") {
  const netlist_plan plan =
      plan_text("params: {base: 0x10}\nunits: {n: {type: node}}\n", {{"n.number", "${base / 2}"}});
  CHECK(value_of(plan, "n", "number") == "8");
}

TEST_CASE("settings and params say where their values come from", "[netlist]") {
  const netlist_plan plan = plan_text(
      "params: {size: 3, twice: \"${2 * size}\"}\ntrain: \"${size}\"\ndata: off\n"
      "units: {n: {type: node}}\n",
      {{"data", "on"}, {"params.size", "4"}}, "f.yaml");
  std::string text;
  write_effective_configuration(plan, [&](const std::string& piece) { text += piece; });
  INFO(text);
  CHECK_THAT(text, Catch::Contains("\nseed: 1  # default\n"
                                   "train: 4  # f.yaml:4:8\n"
                                   "data: on  # --set data\n"
                                   "monitors: off  # default\n"
                                   "params:\n"
                                   "  size: \"4\"  # --set params.size\n"
                                   "  twice: \"8\"  # f.yaml:3:26\n"));
}
