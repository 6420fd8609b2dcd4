#include "platform/yaml/expression_parser.hpp"

#include <array>

#include "platform/text/number.hpp"
#include "platform/text/quote.hpp"
#include "platform/text/suggest.hpp"
#include "platform/yaml/arithmetic.hpp"

namespace heddle {
namespace {

constexpr int depth_limit = 64;

// Counts up for as long as it lives.
class scoped_increment final {
 public:
  explicit scoped_increment(int& counter, bool active = true) : counter_(counter), active_(active) {
    if (active_) ++counter_;
  }
  ~scoped_increment() {
    if (active_) --counter_;
  }
  scoped_increment(const scoped_increment&) = delete;
  scoped_increment& operator=(const scoped_increment&) = delete;

 private:
  int& counter_;
  bool active_;
};

struct binary_operator {
  std::string_view name;
  int level;  // higher binds tighter
};

// Longer names first: "<=" is not "<".
constexpr std::array<binary_operator, 13> binary_operators{{{"||", 1},
                                                            {"&&", 2},
                                                            {"==", 3},
                                                            {"!=", 3},
                                                            {"<=", 4},
                                                            {">=", 4},
                                                            {"<", 4},
                                                            {">", 4},
                                                            {"+", 5},
                                                            {"-", 5},
                                                            {"*", 6},
                                                            {"/", 6},
                                                            {"%", 6}}};

int level_of(std::string_view name) {
  for (const binary_operator& known : binary_operators) {
    if (known.name == name) return known.level;
  }
  return 0;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

expression_value truth(bool value) {
  return std::int64_t{value ? 1 : 0};
}

}  // namespace

template <typename Operation>
expression_value expression_parser::compute(std::size_t offset, Operation operation) const {
  if (skipped_branches_ > 0) return std::int64_t{0};
  try {
    return operation();
  } catch (const quantity_error& error) {
    throw expression_error(offset, error.what());
  }
}

void expression_parser::skip_blanks() {
  while (next() == ' ' || next() == '\n') ++at_;
}

bool expression_parser::accept(char c) {
  if (next() != c || at_ >= text_.size()) return false;
  ++at_;
  skip_blanks();
  return true;
}

void expression_parser::expect(char c) {
  if (at_ < text_.size() && next() == c) {
    ++at_;
  } else if (at_ >= text_.size()) {
    throw expression_error(at_, std::string("expected '") + c + "' at the end");
  } else {
    throw expression_error(
        at_, std::string("expected '") + c + "', got " + quoted(text_.substr(at_, 1)));
  }
}

void expression_parser::refuse_next() const {
  if (at_ >= text_.size()) throw expression_error(at_, "a value is missing at the end");
  throw expression_error(at_, "unexpected " + quoted(text_.substr(at_, 1)));
}

std::string_view expression_parser::next_operator() const {
  for (const binary_operator& known : binary_operators) {
    if (text_.substr(at_, known.name.size()) == known.name) return known.name;
  }
  return {};
}

expression_value expression_parser::read() {
  skip_blanks();
  return read_choice();
}

expression_value expression_parser::read_choice() {
  const scoped_increment level(depth_);
  if (depth_ > depth_limit) throw expression_error(at_, "nested too deeply");
  const std::size_t begin = at_;
  expression_value condition = read_binary(1);
  if (!accept('?')) return condition;
  const bool taken = compute(begin, [&] { return truth(is_true(condition)); }) ==
                     expression_value(std::int64_t{1});
  const auto read_branch = [&](bool skipped) {
    const scoped_increment branch(skipped_branches_, skipped);
    return read_choice();
  };
  expression_value when_true = read_branch(!taken);
  expect(':');
  skip_blanks();
  expression_value when_false = read_branch(taken);
  return taken ? when_true : when_false;
}

expression_value expression_parser::read_binary(int loosest_level) {
  expression_value left = read_unary();
  while (true) {
    const std::string_view name = next_operator();
    if (name.empty() || level_of(name) < loosest_level) return left;
    const std::size_t begin = at_;
    at_ += name.size();
    skip_blanks();
    const bool logical = name == "&&" || name == "||";
    bool decided = false;
    if (logical) {
      left = compute(begin, [&] { return truth(is_true(left)); });
      decided = (left == truth(true)) == (name == "||");
    }
    const scoped_increment skipped(skipped_branches_, decided);
    const expression_value right = read_binary(level_of(name) + 1);
    if (decided) continue;
    left = compute(
        begin, [&] { return logical ? truth(is_true(right)) : apply_operator(name, left, right); });
  }
}

expression_value expression_parser::read_unary() {
  const scoped_increment level(depth_);
  if (depth_ > depth_limit) throw expression_error(at_, "nested too deeply");
  const std::size_t begin = at_;
  if (accept('-')) {
    const expression_value operand = read_unary();
    return compute(begin, [&] { return negated(operand); });
  }
  if (accept('!')) {
    const expression_value operand = read_unary();
    return compute(begin, [&] { return truth(!is_true(operand)); });
  }
  expression_value value = read_primary();
  skip_blanks();
  return value;
}

expression_value expression_parser::read_primary() {
  for (const char* const brackets : {"()", "[]"}) {
    if (!accept(brackets[0])) continue;
    expression_value value = read_choice();
    expect(brackets[1]);
    return value;
  }
  if (is_digit(next())) return read_number();
  if (next() == '\'') return read_literal_text();
  if (starts_name(next())) return read_name();
  refuse_next();
}

expression_value expression_parser::read_number() {
  const std::size_t begin = at_;
  const bool hexadecimal = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
  bool real = false;
  while (continues_name(next()) || next() == '.') {
    const bool exponent = !hexadecimal && (next() == 'e' || next() == 'E');
    real = real || exponent || next() == '.';
    ++at_;
    if (exponent && (next() == '+' || next() == '-')) ++at_;
  }
  const std::string_view digits = text_.substr(begin, at_ - begin);
  try {
    if (real) return parse_double(digits);
    return parse_integer(digits);
  } catch (const quantity_error& error) {
    throw expression_error(begin, error.what());
  }
}

expression_value expression_parser::read_literal_text() {
  const std::size_t end = text_.find('\'', at_ + 1);
  if (end == std::string_view::npos) throw expression_error(at_, "the closing ' is missing");
  std::string literal(text_.substr(at_ + 1, end - at_ - 1));
  at_ = end + 1;
  return literal;
}

expression_value expression_parser::read_name() {
  const std::size_t begin = at_;
  while (continues_name(next())) ++at_;
  const std::string name(text_.substr(begin, at_ - begin));
  skip_blanks();
  if (accept('(')) return read_call(name, begin);
  const auto variable = known_.find(name);
  if (variable != known_.end()) return variable->second;
  std::vector<std::string> names;
  for (const auto& [known_name, value] : known_) names.push_back(known_name);
  throw expression_error(begin, "unknown name '" + name + "'" + did_you_mean(name, names));
}

expression_value expression_parser::read_call(const std::string& name, std::size_t begin) {
  bool known = false;
  for (const std::string& function : function_names()) known = known || function == name;
  if (!known) {
    throw expression_error(
        begin, "unknown function '" + name + "'" + did_you_mean(name, function_names()));
  }
  std::vector<expression_value> arguments;
  do {
    arguments.push_back(read_choice());
  } while (accept(','));
  expect(')');
  return compute(begin, [&] { return call_function(name, arguments); });
}

}  // namespace heddle
