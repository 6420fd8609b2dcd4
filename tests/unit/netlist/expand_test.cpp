#include "platform/netlist/expand.hpp"

#include <catch2/catch.hpp>

#include "platform/text/diagnostic.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

namespace {

expression_value value_of(const std::string& text, bool is_quoted = false) {
  return expand_value(yaml_node::scalar(text, is_quoted, {"a.yaml", 3, 7}), {{"n", 2}});
}

std::string refusal(const std::string& text) {
  return error_message<user_error>([&] { value_of(text); });
}

}  // namespace

TEST_CASE("values of params are integers, doubles or texts", "[netlist]") {
  CHECK(value_of("10") == expression_value(std::int64_t{10}));
  CHECK(value_of("-3") == expression_value(std::int64_t{-3}));
  CHECK(value_of("1${n}") == expression_value(std::int64_t{12}));
  CHECK(value_of("0x1F") == expression_value(std::int64_t{31}));
  CHECK(value_of("0xffffffffffffffff") == expression_value(std::string("0xffffffffffffffff")));
  CHECK(value_of("0.5") == expression_value(0.5));
  CHECK(value_of("-2e3") == expression_value(-2000.0));
  for (const std::string text :
       {"", "inf", "nan", "-inf", "10 us", "4KiB", "0xg", "ring", "-", "1.2.3"})
    CHECK(value_of(text) == expression_value(text));
}

TEST_CASE("values of params that readers take for different numbers are refused", "[netlist]") {
  CHECK(refusal("010") == "a.yaml:3:7: leading zeros are not allowed in \"010\": write 10");
  CHECK(refusal("-08") == "a.yaml:3:7: leading zeros are not allowed in \"-08\": write -8");
  CHECK(refusal("0${n}") == "a.yaml:3:7: leading zeros are not allowed in \"02\": write 2");
  CHECK(refusal("00.5").find("a.yaml:3:7: leading zeros are not allowed in ") == 0);
  CHECK(refusal(".5") == "a.yaml:3:7: expected a number, got \".5\"");
  CHECK(refusal("1e999") == "a.yaml:3:7: \"1e999\" is outside the range of a double");
  CHECK(refusal("9223372036854775808") ==
        "a.yaml:3:7: \"9223372036854775808\" does not fit 64 signed bits");
  CHECK(value_of("010", true) == expression_value(std::string("010")));
}
