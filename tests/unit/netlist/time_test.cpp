// Times that would make the sum of a run wrap are refused.
#include <catch2/catch.hpp>

#include "platform/time/time_limits.hpp"
#include "platform/unit/parameter.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

TEST_CASE("a time of a netlist is at most 100 s", "[netlist]") {
  struct : parameter_set {
    parameter<duration> latency{*this, "latency", duration{0}, "a time", "a test"};
  } set;
  const auto load = [&](const char* text) {
    set.all().front()->load(parse_yaml_text(text, "f.yaml"));
  };
  load("100 s");
  CHECK(set.latency().fs == longest_duration);
  CHECK(error_message<user_error>([&] { load("100000000000001 ps"); }) ==
        "f.yaml:1:1: 100000000000001 ps is longer than 100 s, the longest time of a netlist");
}

TEST_CASE("nanoseconds of firmware saturate", "[netlist]") {
  STATIC_REQUIRE(from_nanoseconds(18'446'744'073) == 18'446'744'073'000'000);
  STATIC_REQUIRE(from_nanoseconds(18'446'744'073'710) == fs_never);
  STATIC_REQUIRE(from_nanoseconds(UINT64_MAX) == fs_never);
}
