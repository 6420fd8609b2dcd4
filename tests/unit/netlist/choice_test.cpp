// `if`, and values that --set takes away.
#include <catch2/catch.hpp>

#include "tests/unit/netlist/toy_units.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;
using paths = std::vector<std::string>;

namespace {

const std::string chain =
    "params: {last: 3}\n"
    "units:\n"
    "  n: {array: 4, index: n, if: n <= last, type: hub}\n"
    "  tap: {if: \"${last == 3}\", type: node}\n"
    "links:\n"
    "  - {for: {n: 4}, if: n < last, between: [\"n[n].port[1]\", \"n[n + 1].port[0]\"]}\n"
    "binds:\n"
    "  - {if: \"last > 2\", from: \"n[3].out\", to: \"n[0].in\"}\n"
    "map:\n"
    "  \"n[0]\":\n"
    "    - {for: {n: 4}, if: \"n == last\", at: \"${n * 16}\", size: 16 B, to: \"n[n].in\"}\n";

std::string refusal(const std::string& body) {
  return error_message<user_error>([&] { plan_text(body); });
}

}  // namespace

TEST_CASE("units, links, binds and ranges with a false `if` are not there", "[netlist]") {
  const netlist_plan whole = plan_text(chain);
  CHECK(unit_paths(whole) == paths{"n[0]", "n[1]", "n[2]", "n[3]", "tap"});
  CHECK(whole.links.size() == 3);
  CHECK(whole.binds.size() == 1);
  REQUIRE(whole.ranges.size() == 1);
  CHECK(whole.ranges[0].to.text() == "n[3].in");

  const netlist_plan cut = plan_text(chain, {{"params.last", "1"}});
  CHECK(unit_paths(cut) == paths{"n[0]", "n[1]"});
  CHECK(link_ends(cut) == paths{"n[0].port[1] - n[1].port[0]"});
  CHECK(cut.binds.empty());
  CHECK(cut.ranges.size() == 1);
}

TEST_CASE("a condition is a number, or true or false", "[netlist]") {
  const auto units = [](const std::string& condition) {
    return plan_text("params: {on: 1}\nunits: {a: {type: node}, b: {if: " + condition +
                     ", type: node}}")
        .units.size();
  };
  CHECK(units("true") == 2);
  CHECK(units("false") == 1);
  CHECK(units("0") == 1);
  CHECK(units("on") == 2);
  CHECK(units("'!on'") == 1);
  CHECK(refusal("units: {b: {if: maybe, type: node}}") == "f.yaml:3:17: unknown name 'maybe'");
  CHECK(refusal("units: {b: {if: \"'text'\", type: node}}") ==
        "f.yaml:3:17: expected a condition, got the text 'text'");
  CHECK(refusal("units: {b: {if: [1], type: node}}").rfind("f.yaml:3:17: ", 0) == 0);
}

TEST_CASE("an override without a value gives the default back", "[netlist]") {
  const std::string body = "units: {n: {array: 2, type: node, number: 3, label: own}}";
  const netlist_plan plan = plan_text(body, {{"n[1].number", ""}, {"n[*].label", ""}});
  CHECK(value_of(plan, "n[0]", "number") == "3");
  CHECK(value_of(plan, "n[1]", "number") == "7");
  CHECK(value_of(plan, "n[0]", "label") == "plain");
  CHECK(value_of(plan_text(body, {{"units.n.number", ""}}), "n[0]", "number") == "7");
}

TEST_CASE("overrides choose units by several indices", "[netlist]") {
  const netlist_plan plan =
      plan_text("units: {n: {array: 12, type: node}}", {{"n[1..2,11].number", "9"}});
  for (const char* each : {"n[1]", "n[2]", "n[11]"}) CHECK(value_of(plan, each, "number") == "9");
  for (const char* each : {"n[0]", "n[3]", "n[10]"}) CHECK(value_of(plan, each, "number") == "7");
}
