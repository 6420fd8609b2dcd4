// Rows and fields of comma-separated values, their places, and that any table is read back.
#include "platform/text/csv_reader.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <sstream>

#include "tests/unit/text/error_message.hpp"

using namespace heddle;

namespace {

using table = std::vector<std::vector<std::string>>;

csv_format format_of(bool csv_format::*allowed) {
  csv_format format;
  format.*allowed = true;
  return format;
}

table read(const std::string& text, csv_format format = {}) {
  std::istringstream in(text);
  csv_reader rows(in, "t.csv", format);
  table all;
  while (rows.next()) all.push_back(rows.row().texts());
  return all;
}

// The first row of a text.
csv_row row_of(const std::string& text, csv_format format = {}) {
  std::istringstream in(text);
  csv_reader rows(in, "t.csv", format);
  REQUIRE(rows.next());
  return rows.row();
}

}  // namespace

TEST_CASE("a row has one field more than commas") {
  CHECK(read("").empty());
  CHECK(read("a") == table{{"a"}});
  CHECK(read("a,b\n") == table{{"a", "b"}});
  CHECK(read(",\n\n,,") == table{{"", ""}, {""}, {"", "", ""}});
}

TEST_CASE("rows may end as on other systems") {
  CHECK(read("a,b\r\nc,\r\n") == table{{"a", "b"}, {"c", ""}});
}

TEST_CASE("what a format does not allow is text of a field") {
  CHECK(read("# a, \"b\nc[0,2]") == table{{"# a", " \"b"}, {"c[0", "2]"}});
}

TEST_CASE("comments are no rows") {
  const csv_format format = format_of(&csv_format::has_comments);
  CHECK(read("# x\n\na,b\n  \t\n  # y\n,\n", format) == table{{"a", "b"}, {"", ""}});
  CHECK(row_of("# x\n\na\n", format).place().text() == "t.csv:3:1");
}

TEST_CASE("blanks may surround a field, which begins behind the comma all the same") {
  const csv_row row = row_of(" a\t, b c ,\n", format_of(&csv_format::trims_fields));
  CHECK(row.texts() == std::vector<std::string>{"a", "b c", ""});
  CHECK(row.place_of(1).text() == "t.csv:1:5");
}

TEST_CASE("commas of an index separate no fields") {
  const csv_format format = format_of(&csv_format::keeps_indices);
  CHECK(read("node[0,2],b[1][3,[4,5]],c", format) == table{{"node[0,2]", "b[1][3,[4,5]]", "c"}});
  CHECK(read("a],b[0,1],c", format) == table{{"a]", "b[0,1]", "c"}});
  CHECK(read("a[0,b", format) == table{{"a[0,b"}});
}

TEST_CASE("a field in quotation marks may hold what separates fields and rows") {
  const csv_format format = format_of(&csv_format::has_quotes);
  const std::string text = "\"a,\"\"b\"\"\",\"c\n\nd\",e\nf\n";
  CHECK(read(text, format) == table{{"a,\"b\"", "c\n\nd", "e"}, {"f"}});
  const csv_row row = row_of(text, format);
  CHECK(row.place_of(1).text() == "t.csv:1:11");
  CHECK(row.place_of(2).text() == "t.csv:3:4");

  std::istringstream in(text);
  csv_reader rows(in, "t.csv", format);
  rows.next();
  rows.next();
  CHECK(rows.row().place().text() == "t.csv:4:1");
  CHECK(read("\"a,b\nc", format) == table{{"a,b\nc"}});
}

TEST_CASE("a row without a line end may be one that was cut off") {
  std::istringstream in("a,b\nc");
  csv_reader rows(in, "t.csv");
  rows.next();
  CHECK_FALSE(rows.is_cut_off());
  rows.next();
  CHECK(rows.is_cut_off());
}

TEST_CASE("mistakes in a row are told at the row or the field") {
  const csv_row row = row_of("a,12,x7\n");
  CHECK(error_message([&] { row.expect_size(3); }) == "nothing was thrown");
  CHECK(error_message([&] { row.expect_size(4); }) == "t.csv:1:1: 3 cells instead of 4");
  CHECK(error_message([&] { row.expect_size(2, "cut: "); }) ==
        "t.csv:1:1: cut: 3 cells instead of 2");
  CHECK(row.parsed(1, parse_unsigned) == 12);
  CHECK(error_message([&] { row.parsed(2, parse_unsigned); }) ==
        "t.csv:1:6: expected an integer, got \"x7\"");
  CHECK(error_message([&] { row.parsed(2, parse_unsigned, "bytes"); }) ==
        "t.csv:1:6: bytes: expected an integer, got \"x7\"");
}

namespace {

// Tables of small sizes are as likely as larger ones, so that a failure is often a short one.
table random_table(std::mt19937& random) {
  const std::string letters = "ab ,\"\n\r#[]";
  table rows(random() % 4);
  for (auto& row : rows) {
    row.resize(1 + random() % 4);
    for (std::string& field : row)
      for (std::size_t left = random() % 6; left > 0; --left)
        field += letters[random() % letters.size()];
  }
  return rows;
}

std::string quoted_field(const std::string& field) {
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string written(const table& rows, const std::string& line_end) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + quoted_field(row[i]);
    text += line_end;
  }
  return text;
}

}  // namespace

TEST_CASE("every table that is written with quotation marks is read back", "[property]") {
  std::mt19937 random(1);
  const csv_format format = format_of(&csv_format::has_quotes);
  for (int i = 0; i < 5'000; ++i) {
    const table rows = random_table(random);
    CAPTURE(rows);
    REQUIRE(read(written(rows, "\n"), format) == rows);
    REQUIRE(read(written(rows, "\r\n"), format) == rows);
  }
}
