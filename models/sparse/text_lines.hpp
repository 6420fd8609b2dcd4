// The words of a text, line by line, with their places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/text/diagnostic.hpp"

namespace heddle {

class text_lines final {
 public:
  // Both must outlive it.
  text_lines(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  // Goes to the next line; false at the end of the text. Lines end in LF or CR LF.
  bool next();
  std::string_view line() const { return line_; }
  bool is_blank() const { return line_.find_first_not_of(" \t") == std::string_view::npos; }

  // The next word of the line, empty at its end.
  std::string_view word();
  // The next word as a number. Throws user_error; `what` names it: "a row".
  std::uint64_t count(const char* what);
  double number(const char* what);
  // Throws unless the line has ended.
  void expect_end();

  // At the word that was read last, or at the end of the line.
  [[noreturn]] void refuse(const std::string& message) const;
  [[noreturn]] void refuse_line(const std::string& message) const;  // the whole of it

 private:
  std::string_view text_;
  const std::string& name_;
  std::size_t next_ = 0;
  std::string_view line_;
  std::size_t at_ = 0;    // in the line, behind the last word
  std::size_t word_ = 0;  // where that begins
  std::uint64_t number_ = 0;
};

}  // namespace heddle
