// Netlists that would expand without end are refused within a second or two.
#include <catch2/catch.hpp>

#include "tests/support/scratch_folder.hpp"
#include "tests/unit/netlist/toy_units.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

namespace {

std::string refusal(const std::string& body, const std::string& file = "f.yaml") {
  return error_message<user_error>([&] { plan_text(body, {}, file); });
}

}  // namespace

TEST_CASE("too many units, links and repetitions are refused", "[netlist]") {
  CHECK(refusal("units: {n: {array: 65537, type: node}}") ==
        "f.yaml:3:20: an array has at most 65536 units");
  CHECK(refusal("units: {n: {type: node}}\nbinds: [{for: {a: 65537}, from: n.x, to: n.x}]") ==
        "f.yaml:4:19: expected a count from 0 to 65536, got 65537");
  CHECK(refusal("units: {n: {type: node}}\n"
                "binds: [{for: {a: 65536, b: 65536}, if: 0, from: n.x, to: n.x}]") ==
        "f.yaml:4:29: the netlist expands to more than 4000000 units, links, ranges and "
        "repetitions");
}

TEST_CASE("a part that uses itself is refused", "[netlist]") {
  const scratch_folder folder;
  folder.write("part.yaml", "heddle: 1\nname: part\nunits: {p: {use: part.yaml}}\n");
  CHECK(refusal("units: {p: {use: part.yaml}}", folder.file("f.yaml")) ==
        folder.file("part.yaml") +
            ":3:18: sub-netlists are nested more than 16 deep: does one use itself?");
}

TEST_CASE("parts that use parts a thousand times each are refused", "[netlist]") {
  const scratch_folder folder;
  const auto fan_out = [&](const std::string& name, const std::string& used) {
    folder.write(name, "heddle: 1\nname: part\nunits: {p: {array: 1000, " + used + "}}\n");
  };
  fan_out("c.yaml", "type: node");
  fan_out("b.yaml", "use: c.yaml");
  CHECK(refusal("units: {p: {array: 1000, use: b.yaml}}", folder.file("f.yaml")) ==
        folder.file("c.yaml") + ":3:12: the netlist expands to more than 262144 units");
}
