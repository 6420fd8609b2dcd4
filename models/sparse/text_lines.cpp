#include "models/sparse/text_lines.hpp"

#include <charconv>
#include <cmath>

#include "platform/text/quote.hpp"

namespace heddle {

bool text_lines::next() {
  if (next_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', next_), text_.size());
  line_ = text_.substr(next_, end - next_);
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  next_ = end + 1;
  at_ = word_ = 0;
  ++number_;
  return true;
}

std::string_view text_lines::word() {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  word_ = at_;
  while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
  return line_.substr(word_, at_ - word_);
}

std::uint64_t text_lines::count(const char* what) {
  const std::string_view text = word();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) refuse(std::string("expected ") + what + ", the line ends");
  if (error != std::errc() || end != text.data() + text.size())
    refuse(std::string("expected ") + what + ", found " + quoted(text));
  return value;
}

double text_lines::number(const char* what) {
  std::string_view text = word();
  if (text.empty()) refuse(std::string("expected ") + what + ", the line ends");
  const std::string_view all = text;
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    refuse(std::string("expected ") + what + ", found " + quoted(all));
  return value;
}

void text_lines::expect_end() {
  const std::string_view text = word();
  if (!text.empty()) refuse("the line should end here, found " + quoted(text));
}

void text_lines::refuse(const std::string& message) const {
  throw user_error({name_, static_cast<int>(number_), static_cast<int>(word_) + 1}, message);
}

void text_lines::refuse_line(const std::string& message) const {
  throw user_error({name_, static_cast<int>(number_), 0}, message);
}

}  // namespace heddle
