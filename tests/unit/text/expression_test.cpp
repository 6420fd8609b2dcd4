#include "platform/yaml/expression.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/text/error_message.hpp"

using namespace heddle;

namespace {

const variables known{{"gpus", 8},         {"g", 3},
                      {"rate", 2.5},       {"name", "ring"},
                      {"most", INT64_MAX}, {"least", INT64_MIN}};

std::string result(const std::string& text) {
  return value_text(evaluate(text, known));
}

// "offset: message"
std::string refusal(const std::string& text) {
  try {
    evaluate(text, known);
  } catch (const expression_error& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("operators bind as in C", "[expression]") {
  CHECK(result("1 + 2 * 3") == "7");
  CHECK(result("(1 + 2) * 3") == "9");
  CHECK(result("10 - 4 - 3") == "3");
  CHECK(result("-2 * -3") == "6");
  CHECK(result("1 < 2 == 2 > 1") == "1");
  CHECK(result("0 && 1 || 1") == "1");
  CHECK(result("!0 + !5") == "1");
  CHECK(result("0 ? 1 : 1 ? 2 : 3") == "2");
  CHECK(result("1 + 1 == 2 ? gpus : g") == "8");
  CHECK(result("0x10 + g") == "19");
  CHECK(result(" ( g + 1 ) % gpus ") == "4");
}

TEST_CASE("integers divide to the floor", "[expression]") {
  CHECK(result("7 / 2") == "3");
  CHECK(result("-7 / 2") == "-4");
  CHECK(result("7 / -2") == "-4");
  CHECK(result("-7 % 3") == "2");
  CHECK(result("7 % -3") == "-2");
  CHECK(result("least % -1") == "0");
  CHECK(result("ceil_div(7, 2)") == "4");
  CHECK(result("ceil_div(-7, 2)") == "-3");
  CHECK(result("ceil_div(8, 2)") == "4");
}

TEST_CASE("doubles stay doubles", "[expression]") {
  CHECK(result("rate * 2") == "5");
  CHECK(result("1 / 4.0") == "0.25");
  CHECK(result("1.5e2") == "150");
  CHECK(result("-rate") == "-2.5");
  CHECK(result("min(3, rate, 7)") == "2.5");
  CHECK(result("max(3, rate, 7)") == "7");
  CHECK(result("rate > 2") == "1");
}

TEST_CASE("text can be compared and chosen", "[expression]") {
  CHECK(result("name") == "ring");
  CHECK(result("name == 'ring'") == "1");
  CHECK(result("name != 'ring' ? 'a' : 'b'") == "b");
  CHECK(refusal("name + 1") == "5: '+' needs numbers, got 'ring'");
  CHECK(refusal("name < 1") == "5: '<' needs numbers, got 'ring'");
  CHECK(refusal("1 % name") == "2: '%' needs integers, got 'ring'");
  CHECK(refusal("name && 1") == "5: expected a condition, got the text 'ring'");
  CHECK(refusal("'open") == "0: the closing ' is missing");
}

TEST_CASE("a branch that is not taken is not computed", "[expression]") {
  CHECK(result("g == 0 ? 8 / 0 : 5") == "5");
  CHECK(result("g != 0 || 8 / 0") == "1");
  CHECK(result("g == 0 && 8 / 0") == "0");
  CHECK(refusal("g == 0 ? nope : 5") == "9: unknown name 'nope'");
}

TEST_CASE("arithmetic is checked", "[expression]") {
  CHECK(refusal("1 / 0") == "2: division by zero in 1 / 0");
  CHECK(refusal("g % 0") == "2: division by zero in 3 % 0");
  CHECK(refusal("1.5 / 0") == "4: division by zero in 1.5 / 0");
  CHECK(refusal("most + 1") == "5: overflow in 9223372036854775807 + 1");
  CHECK(refusal("least - 1") == "6: overflow in -9223372036854775808 - 1");
  CHECK(refusal("most * 2") == "5: overflow in 9223372036854775807 * 2");
  CHECK(refusal("least / -1") == "6: overflow in -9223372036854775808 / -1");
  CHECK(refusal("-least") == "0: overflow in 0 - -9223372036854775808");
  CHECK(refusal("1e308 * 10") == "6: overflow in 1e+308 * 10");
  CHECK(refusal("rate % 2") == "5: '%' needs integers, got '2.5'");
}

TEST_CASE("functions check their arguments", "[expression]") {
  CHECK(result("log2(gpus)") == "3");
  CHECK(result("log2(1)") == "0");
  CHECK(refusal("log2(6)") == "0: log2 of 6, which is not a power of two");
  CHECK(refusal("1 + log2(0)") == "4: log2 of 0, which is not a power of two");
  CHECK(refusal("log2(rate)") == "0: 'log2' needs integers, got '2.5'");
  CHECK(refusal("log2(1, 2)") == "0: log2 takes 1 argument, got 2");
  CHECK(refusal("ceil_div(1)") == "0: ceil_div takes 2 arguments, got 1");
  CHECK(refusal("ceildiv(1, 2)") == "0: unknown function 'ceildiv' (did you mean 'ceil_div'?)");
  CHECK(refusal("min()") == "4: unexpected \")\"");
}

TEST_CASE("malformed expressions name the offset", "[expression]") {
  CHECK(refusal("") == "0: a value is missing at the end");
  CHECK(refusal("1 +") == "3: a value is missing at the end");
  CHECK(refusal("1 2") == "2: unexpected \"2\"");
  CHECK(refusal("(1") == "2: expected ')' at the end");
  CHECK(refusal("(1]") == "2: expected ')', got \"]\"");
  CHECK(refusal("1 ? 2") == "5: expected ':' at the end");
  CHECK(refusal("gpu + 1") == "0: unknown name 'gpu' (did you mean 'gpus'?)");
  CHECK(refusal("010") == "0: leading zeros are not allowed in \"010\": write 10");
  CHECK(refusal("8KiB") == "0: expected an integer, got \"8KiB\"");
  CHECK(refusal("1 & 2") == "2: unexpected \"&\"");
}

TEST_CASE("recursion is bounded", "[expression]") {
  for (const char* nesting : {"(", "-", "!", "[", "1?", "min(", "0?0:"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += nesting;
    CAPTURE(nesting);
    CHECK(refusal(text).find("nested too deeply") != std::string::npos);
  }
  std::string chain = "1";
  for (int i = 0; i < 100'000; ++i) chain += "+1";
  CHECK(result(chain) == "100001");
}

TEST_CASE("expressions are replaced inside a text", "[expression]") {
  CHECK(expand("no variables, $5 {x}", known) == "no variables, $5 {x}");
  CHECK(expand("${gpus}", known) == "8");
  CHECK(expand("gpu[${(g + 1) % gpus}].port ${name}", known) == "gpu[4].port ring");
  CHECK(expand("${rate} GB/s", known) == "2.5 GB/s");
  CHECK(expand("${name == '}' ? 1 : 2}", known) == "2");
  CHECK(error_message([] { expand("a ${gpus", known); }) == "expected '}' at the end");
  CHECK(error_message([] { expand("a ${}", known); }) == "unexpected \"}\"");
  try {
    expand("ab${gps}", known);
    FAIL("nothing was thrown");
  } catch (const expression_error& error) {
    CHECK(error.offset() == 4);
  }
}

TEST_CASE("an integer can be insisted on", "[expression]") {
  CHECK(evaluate_integer("gpus * 2", known) == 16);
  CHECK(error_message([] { evaluate_integer("rate", known); }) == "expected an integer, got '2.5'");
}
