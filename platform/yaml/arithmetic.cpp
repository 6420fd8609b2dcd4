#include "platform/yaml/arithmetic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "platform/text/number.hpp"

namespace heddle {
namespace {

bool is_text(const expression_value& value) {
  return std::holds_alternative<std::string>(value);
}

bool are_integers(const expression_value& left, const expression_value& right) {
  return std::holds_alternative<std::int64_t>(left) && std::holds_alternative<std::int64_t>(right);
}

std::int64_t integer(const expression_value& value, std::string_view user) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return *number;
  throw quantity_error(fmt::format("'{}' needs integers, got '{}'", user, value_text(value)));
}

double real(const expression_value& value, std::string_view user) {
  if (is_text(value)) {
    throw quantity_error(fmt::format("'{}' needs numbers, got '{}'", user, value_text(value)));
  }
  const auto* const number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::get<double>(value) : static_cast<double>(*number);
}

[[noreturn]] void refuse_overflow(std::string_view name, const expression_value& left,
                                  const expression_value& right) {
  throw quantity_error(
      fmt::format("overflow in {} {} {}", value_text(left), name, value_text(right)));
}

struct division {
  std::int64_t floor;
  std::int64_t remainder;  // of the sign of the divisor
};

division divide(std::int64_t dividend, std::int64_t divisor, std::string_view name) {
  if (divisor == 0)
    throw quantity_error(fmt::format("division by zero in {} {} 0", dividend, name));
  // The one quotient that does not fit; the processor would trap.
  if (divisor == -1) {
    if (dividend == INT64_MIN) refuse_overflow(name, dividend, divisor);
    return {-dividend, 0};
  }
  division result{dividend / divisor, dividend % divisor};
  if (result.remainder != 0 && (result.remainder < 0) != (divisor < 0)) {
    --result.floor;
    result.remainder += divisor;
  }
  return result;
}

std::int64_t integer_arithmetic(char name, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (name) {
    case '+':
      overflow = __builtin_add_overflow(left, right, &result);
      break;
    case '-':
      overflow = __builtin_sub_overflow(left, right, &result);
      break;
    case '*':
      overflow = __builtin_mul_overflow(left, right, &result);
      break;
    case '/':
      return divide(left, right, "/").floor;
    default:
      return right == -1 ? 0 : divide(left, right, "%").remainder;
  }
  if (overflow) refuse_overflow({&name, 1}, left, right);
  return result;
}

double real_arithmetic(char name, double left, double right) {
  if (name == '/' && right == 0) {
    throw quantity_error(fmt::format("division by zero in {} / 0", left));
  }
  const double result = name == '+'   ? left + right
                        : name == '-' ? left - right
                        : name == '*' ? left * right
                                      : left / right;
  if (!std::isfinite(result)) refuse_overflow({&name, 1}, left, right);
  return result;
}

template <typename T>
bool compare(std::string_view name, const T& left, const T& right) {
  if (name == "==") return left == right;
  if (name == "!=") return left != right;
  if (name == "<") return left < right;
  if (name == "<=") return left <= right;
  if (name == ">") return left > right;
  return left >= right;
}

bool comparison(std::string_view name, const expression_value& left,
                const expression_value& right) {
  if (are_integers(left, right)) {
    return compare(name, std::get<std::int64_t>(left), std::get<std::int64_t>(right));
  }
  const bool for_equality = name == "==" || name == "!=";
  if (is_text(left) && is_text(right) && for_equality) {
    return compare(name, std::get<std::string>(left), std::get<std::string>(right));
  }
  // One after the other: which operand an error names must not depend on the compiler.
  const double left_number = real(left, name);
  return compare(name, left_number, real(right, name));
}

std::int64_t exact_log2(const expression_value& value) {
  const std::int64_t number = integer(value, "log2");
  if (number <= 0 || (number & (number - 1)) != 0) {
    throw quantity_error(fmt::format("log2 of {}, which is not a power of two", number));
  }
  return __builtin_ctzll(static_cast<unsigned long long>(number));
}

std::int64_t ceil_div(const expression_value& dividend, const expression_value& divisor) {
  const std::int64_t count = integer(dividend, "ceil_div");
  const division result = divide(count, integer(divisor, "ceil_div"), "/");
  return result.floor + (result.remainder != 0 ? 1 : 0);
}

expression_value extreme(const char* better, const std::vector<expression_value>& arguments) {
  expression_value best = arguments.front();
  for (const expression_value& argument : arguments) {
    if (comparison(better, argument, best)) best = argument;
  }
  return best;
}

}  // namespace

expression_value apply_operator(std::string_view name, const expression_value& left,
                                const expression_value& right) {
  const bool compares = std::string_view("=!<>").find(name[0]) != std::string_view::npos;
  if (compares) return std::int64_t{comparison(name, left, right) ? 1 : 0};
  if (are_integers(left, right) || name == "%") {
    const std::int64_t left_integer = integer(left, name);
    return integer_arithmetic(name[0], left_integer, integer(right, name));
  }
  const double left_number = real(left, name);
  return real_arithmetic(name[0], left_number, real(right, name));
}

expression_value negated(const expression_value& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) {
    return integer_arithmetic('-', 0, *number);
  }
  return -real(value, "-");
}

bool is_true(const expression_value& value) {
  if (is_text(value)) {
    throw quantity_error("expected a condition, got the text '" + value_text(value) + "'");
  }
  return real(value, "?") != 0;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names{"min", "max", "log2", "ceil_div"};
  return names;
}

expression_value call_function(const std::string& name,
                               const std::vector<expression_value>& arguments) {
  const std::size_t wanted = name == "log2" ? 1 : name == "ceil_div" ? 2 : 0;
  if (wanted != 0 && arguments.size() != wanted) {
    throw quantity_error(fmt::format("{} takes {} argument{}, got {}", name, wanted,
                                     wanted == 1 ? "" : "s", arguments.size()));
  }
  if (name == "log2") return exact_log2(arguments[0]);
  if (name == "ceil_div") return ceil_div(arguments[0], arguments[1]);
  return extreme(name == "min" ? "<" : ">", arguments);
}

}  // namespace heddle
