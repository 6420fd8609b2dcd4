#include "platform/text/number.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/text/error_message.hpp"

using namespace heddle;

TEST_CASE("integers are decimal or hexadecimal", "[number]") {
  CHECK(parse_integer("0") == 0);
  CHECK(parse_integer("-7") == -7);
  CHECK(parse_integer("0x1F") == 31);
  CHECK(parse_integer("9223372036854775807") == INT64_MAX);
  CHECK(parse_integer("-9223372036854775808") == INT64_MIN);
  CHECK(parse_unsigned("18446744073709551615") == UINT64_MAX);
  CHECK(parse_unsigned("0xffffffffffffffff") == UINT64_MAX);
}

TEST_CASE("integers are refused with a reason", "[number]") {
  const auto message = [](const char* text) {
    return error_message<quantity_error>([&] { parse_integer(text); });
  };
  CHECK(message("010") == "leading zeros are not allowed in \"010\": write 10");
  CHECK(message("-010") == "leading zeros are not allowed in \"-010\": write -10");
  CHECK(message("000") == "leading zeros are not allowed in \"000\": write 0");
  CHECK(message("1_000") == "expected an integer, got \"1_000\": write 1000 ('_' is not allowed)");
  CHECK(message("") == "expected an integer, got \"\"");
  CHECK(message("-") == "expected an integer, got \"-\"");
  CHECK(message("+1") == "expected an integer, got \"+1\"");
  CHECK(message("--1") == "expected an integer, got \"--1\"");
  CHECK(message("0x") == "expected an integer, got \"0x\"");
  CHECK(message("0x-1") == "expected an integer, got \"0x-1\"");
  CHECK(message(" 1") == "expected an integer, got \" 1\"");
  CHECK(message("1.5") == "expected an integer, got \"1.5\"");
  CHECK(message("a\x1b[31m") == "expected an integer, got \"a\\x1b[31m\"");
  CHECK(message("9223372036854775808") == "\"9223372036854775808\" does not fit 64 signed bits");
  CHECK(message("18446744073709551616") == "\"18446744073709551616\" does not fit 64 bits");
  CHECK(error_message([] { parse_unsigned("-1"); }) ==
        "expected an integer, got \"-1\", which must not be negative");
}

TEST_CASE("doubles take an exponent but neither infinity nor NaN", "[number]") {
  CHECK(parse_double("0") == 0.0);
  CHECK(parse_double("-1.5e-3") == -1.5e-3);
  CHECK(parse_double("2.5E+2") == 250.0);
  const auto message = [](const char* text) {
    return error_message<quantity_error>([&] { parse_double(text); });
  };
  for (const char* text : {"", "-", ".5", "5.", "1e", "inf", "nan", "0x10", "1 ", "--1", "+1"}) {
    CAPTURE(text);
    CHECK(message(text) == "expected a number, got \"" + std::string(text) + "\"");
  }
  CHECK(message("01.5") == "leading zeros are not allowed in \"01.5\": write 1.5");
  CHECK(message("1e999") == "\"1e999\" is outside the range of a double");
}

TEST_CASE("a bool is true or false", "[number]") {
  CHECK(parse_bool("true"));
  CHECK_FALSE(parse_bool("false"));
  CHECK(error_message([] { parse_bool("yes"); }) == "expected true or false, got \"yes\"");
  CHECK(error_message([] { parse_bool("True"); }) == "expected true or false, got \"True\"");
}

TEST_CASE("long texts are cut in messages", "[number]") {
  const std::string text(200, 'x');
  CHECK(error_message([&] { parse_bool(text); }) ==
        "expected true or false, got \"" + std::string(60, 'x') + "...\"");
}
