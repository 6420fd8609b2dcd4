// Random expressions against a reference that computes while it writes them.
#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "platform/yaml/expression.hpp"

namespace {

__extension__ using wide = __int128;

struct sample {
  std::string text;
  std::optional<std::int64_t> value;  // nothing where evaluation must fail
};

class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}

  sample next(int depth) {
    if (depth == 0 || pick(5) == 0) return literal();
    switch (pick(4)) {
      case 0:
        return negation(depth);
      case 1:
        return choice(depth);
      default:
        return binary(depth);
    }
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  sample literal() {
    const bool large = pick(10) == 0;
    const auto value = static_cast<std::int64_t>(large ? random_() >> 1 : random_() % 5);
    return {std::to_string(value), value};
  }

  static std::optional<std::int64_t> fit(wide value) {
    if (value < INT64_MIN || value > INT64_MAX) return std::nullopt;
    return static_cast<std::int64_t>(value);
  }

  sample negation(int depth) {
    const sample operand = next(depth - 1);
    sample result{"-(" + operand.text + ")", std::nullopt};
    if (operand.value) result.value = fit(-static_cast<wide>(*operand.value));
    return result;
  }

  sample choice(int depth) {
    const sample condition = next(depth - 1);
    const sample yes = next(depth - 1);
    const sample no = next(depth - 1);
    sample result{"(" + condition.text + " ? " + yes.text + " : " + no.text + ")", std::nullopt};
    if (condition.value) result.value = *condition.value != 0 ? yes.value : no.value;
    return result;
  }

  sample binary(int depth) {
    static const char* const names[] = {"+", "-", "*", "/", "%", "==", "<", ">=", "&&", "||"};
    const std::string name = names[pick(10)];
    const sample left = next(depth - 1);
    const sample right = next(depth - 1);
    return {"(" + left.text + " " + name + " " + right.text + ")",
            combine(name, left.value, right.value)};
  }

  static std::optional<std::int64_t> combine(const std::string& name,
                                             std::optional<std::int64_t> left,
                                             std::optional<std::int64_t> right) {
    if (!left) return std::nullopt;
    if (name == "&&" && *left == 0) return 0;
    if (name == "||" && *left != 0) return 1;
    if (!right) return std::nullopt;
    const wide a = *left;
    const wide b = *right;
    if (name == "+") return fit(a + b);
    if (name == "-") return fit(a - b);
    if (name == "*") return fit(a * b);
    if (name == "==") return a == b;
    if (name == "<") return a < b;
    if (name == ">=") return a >= b;
    if (name == "&&" || name == "||") return b != 0;
    if (b == 0) return std::nullopt;
    wide remainder = a % b;
    if (remainder != 0 && (remainder < 0) != (b < 0)) remainder += b;
    return fit(name == "%" ? remainder : (a - remainder) / b);
  }

  std::mt19937_64 random_;
};

std::optional<std::int64_t> evaluated(const std::string& text) {
  try {
    return heddle::evaluate_integer(text, {});
  } catch (const heddle::expression_error&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("random expressions agree with a reference", "[expression][property]") {
  generator expressions(1);
  int failing = 0;
  for (int i = 0; i < 20'000; ++i) {
    const sample expected = expressions.next(4);
    CAPTURE(expected.text);
    REQUIRE(evaluated(expected.text) == expected.value);
    failing += expected.value ? 0 : 1;
  }
  CHECK(failing > 1000);  // errors are exercised as well
  CHECK(failing < 15'000);
}
