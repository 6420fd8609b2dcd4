#include <catch2/catch.hpp>

#include "platform/unit/parameter.hpp"

using namespace heddle;

namespace {

struct narrow : parameter_set {
  parameter<std::uint64_t> ports{*this, "ports", 4, within(1, 8), "how many", "a test"};
  parameter<double> share{*this, "share", 0.5, within(0, 1), "of the rate", "a test"};
  choice_parameter order{*this, "order", one_of("xy", "yx"), "which first", "a test"};
};

// The same names and texts, other ranges and choices.
struct wide : parameter_set {
  parameter<std::uint64_t> ports{*this, "ports", 4, within(1, 64), "how many", "a test"};
  parameter<std::uint64_t> share{*this, "share", 5, "of the rate", "a test"};
  choice_parameter order{*this, "order", one_of("xy", "yx", "random"), "which first", "a test"};
};

}  // namespace

TEST_CASE("parameters that differ only in range or choices are not taken for each other") {
  const narrow a;
  const wide b;
  const narrow c;
  for (const narrow* each : {&a, &c}) {
    CHECK(each->ports.range() == "1..8");
    CHECK(each->share.range() == "0..1");
    CHECK(each->share.text() == "0.5");
    CHECK(each->order.range() == "xy | yx");
  }
  CHECK(b.ports.range() == "1..64");
  CHECK(b.share.range().empty());
  CHECK(b.share.text() == "5");
  CHECK(b.order.range() == "xy | yx | random");
}

TEST_CASE("each set has its values, and where they come from") {
  narrow a, b;
  const source_place place{"a.yaml", 3, 7};
  a.ports.load(yaml_node::scalar("8", false, place));
  a.order.load(yaml_node::scalar("yx", false, place));
  CHECK(a.ports() == 8);
  CHECK(a.ports.origin() == "a.yaml:3:7");
  CHECK_FALSE(a.ports.is_default());
  CHECK(a.order() == "yx");
  CHECK(a.order.index() == 1);
  CHECK(b.ports() == 4);
  CHECK(b.ports.origin() == "default");
  CHECK(b.ports.is_default());
  CHECK(b.order() == "xy");
  CHECK_THROWS_WITH(a.ports.load(yaml_node::scalar("9", false, place)),
                    "a.yaml:3:7: ports is 9, outside 1 to 8");
  CHECK(a.ports() == 8);
}
