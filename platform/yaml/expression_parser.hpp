// Recursive descent over one expression inside a longer text; computes while it reads.
#pragma once

#include <string>
#include <string_view>

#include "platform/yaml/expression.hpp"

namespace heddle {

class expression_parser final {
 public:
  // Both must outlive the parser. Reading starts at the offset.
  expression_parser(std::string_view text, std::size_t offset, const variables& known)
      : text_(text), at_(offset), known_(known) {}

  // The value of the expression; afterwards offset() is at the first character that is neither
  // part of it nor blank.
  expression_value read();
  std::size_t offset() const { return at_; }

  // Passes this character, or throws.
  void expect(char c);
  [[noreturn]] void refuse_next() const;

 private:
  expression_value read_choice();
  expression_value read_binary(int loosest_level);
  expression_value read_unary();
  expression_value read_primary();
  expression_value read_number();
  expression_value read_literal_text();
  expression_value read_name();
  expression_value read_call(const std::string& name, std::size_t begin);

  void skip_blanks();
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool accept(char c);
  std::string_view next_operator() const;

  // What an operation gives, with its offset in the error; nothing is computed in a branch that is
  // not taken, because "n > 0 ? 8 / n : 0" must work for 0.
  template <typename Operation>
  expression_value compute(std::size_t offset, Operation operation) const;

  std::string_view text_;
  std::size_t at_;
  const variables& known_;
  int depth_ = 0;
  int skipped_branches_ = 0;
};

}  // namespace heddle
