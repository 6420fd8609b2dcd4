// Comma-separated values: the rows of a table, their fields, and where each field stands, so that a
// message may name the place of a mistake.
//
// Limitations: a row is held in memory as a whole. A field that is not closed by its quotation mark
// takes the rest of the text.
#pragma once

#include <istream>
#include <string>
#include <utility>
#include <vector>

#include "platform/text/diagnostic.hpp"
#include "platform/text/number.hpp"

namespace heddle {

// What a kind of table allows besides plain fields. The line ends of all systems are accepted.
struct csv_format {
  bool has_comments = false;   // Blank lines and lines that begin with # are not rows.
  bool trims_fields = false;   // Blanks at both ends of a field do not belong to it.
  bool keeps_indices = false;  // A comma inside brackets belongs to the field: node[0,2].
  // A field may stand in quotation marks and then hold commas and line breaks, and quotation marks
  // that are written twice.
  bool has_quotes = false;
};

// A field and where it begins: its line counts from the first one of the row.
struct csv_field {
  std::string text;
  int line = 0;
  int column = 1;
};

// The fields of one row; there is at least one, which may be empty.
std::vector<csv_field> csv_fields(const std::string& row, csv_format format);

class csv_row final {
 public:
  csv_row() = default;
  csv_row(std::vector<csv_field> fields, source_place place)
      : fields_(std::move(fields)), place_(place) {}

  std::size_t size() const { return fields_.size(); }
  const std::string& operator[](std::size_t field) const { return fields_[field].text; }
  std::vector<std::string> texts() const;  // of all fields

  const source_place& place() const { return place_; }  // where the row begins
  source_place place_of(std::size_t field) const;

  // Throws user_error at the row unless it has that many fields; the message begins with `why`.
  void expect_size(std::size_t fields, const std::string& why = {}) const;

  // What `parse` makes of the text of a field. A quantity_error that it throws becomes a user_error
  // at the field, after the name of its column if one is given.
  template <typename Parse>
  auto parsed(std::size_t field, Parse parse, const std::string& column = {}) const
      -> decltype(parse(std::string())) {
    try {
      return parse(fields_[field].text);
    } catch (const quantity_error& error) {
      throw user_error(place_of(field), (column.empty() ? "" : column + ": ") + error.what());
    }
  }

 private:
  std::vector<csv_field> fields_;
  source_place place_;
};

class csv_reader final {
 public:
  // `text` must outlive the reader; messages call it `file`.
  csv_reader(std::istream& text, const std::string& file, csv_format format = {});

  // Goes to the next row; false when there is none. The first row is often the heading, which is
  // the caller's to check.
  bool next();

  const csv_row& row() const { return row_; }
  const std::string& text() const { return text_; }  // of the row, as it is written
  // True if the last row has no line end: the file may have been cut off there.
  bool is_cut_off() const { return in_.eof(); }

 private:
  bool read_text();
  bool is_comment() const;

  std::istream& in_;
  csv_format format_;
  std::string text_;
  csv_row row_;
  source_place place_;
  int lines_ = 0;  // that the text of the row has
};

}  // namespace heddle
