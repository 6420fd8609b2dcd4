// Arrays of several dimensions, and what counts them.
#include <catch2/catch.hpp>

#include "tests/unit/netlist/toy_units.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;
using paths = std::vector<std::string>;

namespace {

std::string refusal(const std::string& body) {
  return error_message<user_error>([&] { plan_text(body); });
}

}  // namespace

TEST_CASE("an array of two dimensions has two indices, the last one fastest", "[netlist]") {
  const netlist_plan plan = plan_text(
      "params: {w: 2}\n"
      "units:\n"
      "  n: {array: [\"${w}\", 3], index: [x, y], type: node, number: \"${x * 10 + y}\"}\n");
  CHECK(unit_paths(plan) ==
        paths{"n[0][0]", "n[0][1]", "n[0][2]", "n[1][0]", "n[1][1]", "n[1][2]"});
  CHECK(value_of(plan, "n[1][2]", "number") == "12");
}

TEST_CASE("indices without names are i, j, k", "[netlist]") {
  const netlist_plan plan =
      plan_text("units: {n: {array: [1, 2, 2], type: node, number: \"${100 * i + 10 * j + k}\"}}");
  CHECK(value_of(plan, "n[0][1][1]", "number") == "11");
  CHECK(unit_paths(plan_text("units: {n: {array: [2], type: node}}")) == paths{"n[0]", "n[1]"});
  CHECK(unit_paths(plan_text("units: {n: {array: 1, type: node}}")) == paths{"n[0]"});
}

TEST_CASE("links name elements by all their indices", "[netlist]") {
  const netlist_plan plan = plan_text(
      "units:\n"
      "  n: {array: [2, 2], type: node}\n"
      "  h: {array: 2, type: hub}\n"
      "links:\n"
      "  - {for: {x: 2, y: 2}, between: [\"n[x][(y + 1) % 2].port\", \"h[x].port[y]\"]}\n");
  CHECK(link_ends(plan) == paths{"n[0][1].port - h[0].port[0]", "n[0][0].port - h[0].port[1]",
                                 "n[1][1].port - h[1].port[0]", "n[1][0].port - h[1].port[1]"});
}

TEST_CASE("links of a loop share their parameters, unless these differ from one to the next",
          "[netlist]") {
  const auto lengths_of = [](const std::string& parameters) {
    const netlist_plan plan = plan_text(
        "units: {n: {array: 3, type: node}, h: {type: hub, ports: 3}}\n"
        "links:\n"
        "  - {for: {i: 2}, between: [\"n[i].port\", \"h.port[i]\"]" +
        parameters + "}\n  - {between: [\"n[2].port\", \"h.port[2]\"], length: 9}\n");
    paths lengths;
    for (const planned_link& each : plan.links) {
      const parameter_set* const its = each.parameters.get();
      lengths.push_back(its->all().front()->text());
      if (its == plan.links.front().parameters.get()) lengths.back() += " as the first";
    }
    return lengths;
  };
  CHECK(lengths_of("") == paths{"1 as the first", "1 as the first", "9"});
  CHECK(lengths_of(", length: 4") == paths{"4 as the first", "4 as the first", "9"});
  CHECK(lengths_of(", length: \"${2 + 2}\"") == paths{"4 as the first", "4 as the first", "9"});
  CHECK(lengths_of(", length: \"${i / 2 + 4}\"") == paths{"4 as the first", "4 as the first", "9"});
  CHECK(lengths_of(", length: \"${i + 4}\"") == paths{"4 as the first", "5", "9"});
}

TEST_CASE("arrays that make no sense are refused", "[netlist]") {
  CHECK(refusal("units: {n: {array: [2, 0], type: node}}") == "f.yaml:3:24: an array of 0 units");
  CHECK(refusal("units: {n: {array: [1000, 1000], type: node}}") ==
        "f.yaml:3:20: an array has at most 65536 units");
  CHECK(refusal("units: {n: {array: [], type: node}}") ==
        "f.yaml:3:20: expected a count or a list of counts");
  CHECK(refusal("units: {n: {array: [2, 2], index: x, type: node}}") ==
        "f.yaml:3:35: an array of 2 dimensions needs as many names under `index`");
  CHECK(refusal("units: {n: {array: [2, 2], index: [x, x], type: node}}") ==
        "f.yaml:3:39: two indices are called 'x'");
  CHECK(refusal("params: {j: 1}\nunits: {n: {array: [2, 2], type: node}}") ==
        "f.yaml:4:9: index 'j' hides a parameter of that name");
  CHECK(refusal("units: {n: {index: x, type: node}}") ==
        "f.yaml:3:20: `index` names what counts an `array`, and there is none");
  CHECK(refusal("units: {\"n[0]\": {type: node}}") ==
        "f.yaml:3:9: the name of a unit is made of letters, digits and '_', got 'n[0]'");
}

TEST_CASE("a link with the keys of an array is refused", "[netlist]") {
  CHECK(refusal("units: {n: {array: 2, type: node}}\n"
                "links: [{array: 2, between: [\"n[0].port\", \"n[1].port\"]}]") ==
        "f.yaml:4:10: unknown key 'array' in link");
}
