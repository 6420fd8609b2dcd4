#include "platform/text/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>

namespace heddle {
namespace {

// Cuts a row into fields, character by character.
class field_splitter final {
 public:
  field_splitter(const std::string& row, csv_format format) : row_(row), format_(format) {}

  std::vector<csv_field> fields() {
    while (at_ < row_.size()) take(row_[at_]);
    finish_field();
    return std::move(fields_);
  }

 private:
  void take(char c) {
    if (format_.has_quotes && c == '"') return take_quotation_mark();
    if (format_.keeps_indices && !is_quoted_) count_bracket(c);
    if (c == ',' && depth_ == 0 && !is_quoted_) return start_next_field();
    if (c == '\n') start_next_line();
    field_.text += c;
    ++at_;
  }

  // A closing bracket without an opening one is a character like any other.
  void count_bracket(char c) {
    if (c == '[') ++depth_;
    if (c == ']' && depth_ > 0) --depth_;
  }

  // Two marks inside a quoted field stand for one.
  void take_quotation_mark() {
    const bool is_twice = is_quoted_ && at_ + 1 < row_.size() && row_[at_ + 1] == '"';
    if (is_twice)
      field_.text += '"';
    else
      is_quoted_ = !is_quoted_;
    at_ += is_twice ? 2 : 1;
  }

  void start_next_line() {
    ++line_;
    line_begin_ = at_ + 1;
  }

  void start_next_field() {
    finish_field();
    ++at_;
    field_ = {{}, line_, static_cast<int>(at_ - line_begin_) + 1};
  }

  void finish_field() {
    if (format_.trims_fields) boost::algorithm::trim(field_.text);
    fields_.push_back(std::move(field_));
  }

  const std::string& row_;
  csv_format format_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 0;
  int depth_ = 0;  // of brackets
  bool is_quoted_ = false;
  csv_field field_;
  std::vector<csv_field> fields_;
};

}  // namespace

std::vector<csv_field> csv_fields(const std::string& row, csv_format format) {
  return field_splitter(row, format).fields();
}

std::vector<std::string> csv_row::texts() const {
  std::vector<std::string> all;
  for (const csv_field& each : fields_) all.push_back(each.text);
  return all;
}

source_place csv_row::place_of(std::size_t field) const {
  const csv_field& at = fields_[field];
  return {place_.file, place_.line + at.line, at.column};
}

void csv_row::expect_size(std::size_t fields, const std::string& why) const {
  if (size() != fields)
    throw user_error(place_, fmt::format("{}{} cells instead of {}", why, size(), fields));
}

csv_reader::csv_reader(std::istream& text, const std::string& file, csv_format format)
    : in_(text), format_(format), place_{file, 1, 1} {}

bool csv_reader::next() {
  do {
    place_.line += lines_;
    if (!read_text()) return false;
  } while (format_.has_comments && is_comment());
  row_ = {csv_fields(text_, format_), place_};
  return true;
}

// The next line; where a field in quotation marks goes on in the line after it, that one, too.
bool csv_reader::read_text() {
  bool is_quoted = false;
  lines_ = 0;
  text_.clear();
  for (std::string line; (lines_ == 0 || is_quoted) && std::getline(in_, line); ++lines_) {
    text_ += lines_ == 0 ? line : "\n" + line;
    if (format_.has_quotes) is_quoted ^= std::count(line.begin(), line.end(), '"') % 2 != 0;
  }
  if (!text_.empty() && text_.back() == '\r') text_.pop_back();  // of another system's editor
  return lines_ > 0;
}

bool csv_reader::is_comment() const {
  const std::string text = boost::algorithm::trim_copy(text_);
  return text.empty() || text.front() == '#';
}

}  // namespace heddle
