#include "platform/run/mmio_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "platform/text/csv_reader.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/input_file.hpp"
#include "platform/text/number.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t columns = 14;
constexpr const char* column_names[columns] = {
    "time_fs", "core", "function", "file",   "line",  "command", "address",
    "bytes",   "unit", "register", "offset", "value", "fields",  "response"};

// Addresses and values are text in hexadecimal: JSON's numbers have 53 bits.
std::vector<std::string> cells(const mmio_record& r) {
  return {std::to_string(r.time),
          r.core,
          r.function,
          r.file,
          std::to_string(r.line),
          r.command,
          fmt::format("{:#x}", r.address),
          std::to_string(r.bytes),
          r.unit,
          r.register_name,
          fmt::format("{:#x}", r.offset),
          fmt::format("{:#x}", r.value),
          r.fields,
          r.response};
}

// The number in that column. Throws quantity_error, which names the column.
std::uint64_t number_in(const std::vector<std::string>& cell, std::size_t column,
                        std::uint64_t largest = UINT64_MAX) {
  try {
    const std::uint64_t value = parse_unsigned(cell[column]);
    if (value > largest)
      throw quantity_error(fmt::format("expected at most {}, got {}", largest, value));
    return value;
  } catch (const quantity_error& error) {
    throw quantity_error(fmt::format("{}: {}", column_names[column], error.what()));
  }
}

mmio_record record_of(const std::vector<std::string>& cell) {
  constexpr std::uint64_t last_line = std::numeric_limits<int>::max();
  constexpr std::uint64_t most_bytes = 8;  // of an access
  mmio_record r;
  r.time = number_in(cell, 0);
  r.core = cell[1];
  r.function = cell[2];
  r.file = cell[3];
  r.line = static_cast<int>(number_in(cell, 4, last_line));
  r.command = cell[5];
  r.address = number_in(cell, 6);
  r.bytes = static_cast<unsigned>(number_in(cell, 7, most_bytes));
  r.unit = cell[8];
  r.register_name = cell[9];
  r.offset = number_in(cell, 10);
  r.value = number_in(cell, 11);
  r.fields = cell[12];
  r.response = cell[13];
  return r;
}

std::string quoted_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::vector<mmio_record> read_csv(std::istream& in, const std::string& file) {
  csv_format format;
  format.has_quotes = true;
  csv_reader rows(in, file, format);
  if (!rows.next()) throw user_error({file, 1, 1}, "not an MMIO log: the file is empty");
  if (rows.text() + "\n" != csv_heading())
    throw user_error({file, 1, 1}, "not an MMIO log: its first line names other columns");
  std::vector<mmio_record> records;
  while (rows.next()) {
    rows.row().expect_size(columns, rows.is_cut_off() ? "the log is cut off here: " : "");
    try {
      records.push_back(record_of(rows.row().texts()));
    } catch (const quantity_error& error) {
      throw user_error(rows.row().place(), error.what());
    }
  }
  return records;
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

source_place place_at(const std::string& file, const std::string& text, std::size_t offset) {
  const std::string before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1: the first line
  return {file, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          1 + static_cast<int>(before.size() - line_start)};
}

// Where element `index` of an array of objects starts; the text has been parsed.
std::size_t offset_of_object(const std::string& text, std::size_t index) {
  bool is_text = false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_text && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      is_text = !is_text;
    else if (!is_text && text[i] == '{' && depth++ == 0 && index-- == 0)
      return i;
    else if (!is_text && text[i] == '}')
      --depth;
  }
  return 0;
}

std::vector<mmio_record> read_json(std::istream& in, const std::string& file) {
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<mmio_record> records;
  try {
    const json all = json::parse(text);
    if (!all.is_array()) throw user_error({file, 1, 1}, "not an MMIO log: no array of accesses");
    for (const json& each : all) {
      std::vector<std::string> cell;
      for (const char* name : column_names) cell.push_back(text_of(each.at(name)));
      records.push_back(record_of(cell));
    }
  } catch (const json::parse_error& error) {
    throw user_error(place_at(file, text, error.byte > 0 ? error.byte - 1 : 0),
                     fmt::format("not an MMIO log: {}", error.what()));
  } catch (const user_error&) {
    throw;
  } catch (const std::exception& error) {
    throw user_error(
        place_at(file, text, offset_of_object(text, records.size())),
        fmt::format("not an MMIO log: access {}: {}", records.size() + 1, error.what()));
  }
  return records;
}

}  // namespace

std::string text_of(const atomic_update& atomic) {
  return fmt::format("operand={:#x} expected={:#x}", atomic.operand, atomic.expected);
}

std::optional<atomic_update> atomic_of(const mmio_record& record) {
  const auto name = std::find(std::begin(atomic_names), std::end(atomic_names), record.command);
  if (name == std::end(atomic_names)) return std::nullopt;
  atomic_update atomic;
  atomic.operation = static_cast<atomic_operation>(name - std::begin(atomic_names));
  constexpr int numbers = 2;
  unsigned long long operand = 0, expected = 0;
  if (std::sscanf(record.fields.c_str(), "operand=%llx expected=%llx", &operand, &expected) !=
      numbers)
    return std::nullopt;
  atomic.operand = operand;
  atomic.expected = expected;
  return atomic;
}

std::string mmio_record::text() const {
  const std::string what =
      unit.empty() ? fmt::format("memory {:#x}", address)
                   : fmt::format("{} {}", unit,
                                 register_name.empty() ? fmt::format("offset {:#x}", offset)
                                                       : register_name);
  return fmt::format("{} {} {} {} = {:#x}{}{} {}{}", format_duration(time), core, command, what,
                     value, fields.empty() ? "" : " ", fields, response,
                     file.empty() ? "" : fmt::format(", {}:{}", file, line));
}

bool is_csv(const std::string& file) {
  constexpr std::string_view end = ".csv";
  return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
}

std::string csv_heading() {
  std::string line;
  for (const char* name : column_names) line += (line.empty() ? "" : ",") + std::string(name);
  return line + "\n";
}

std::string csv_line(const mmio_record& record) {
  std::string line;
  for (const std::string& cell : cells(record)) line += quoted_cell(cell) + ",";
  line.back() = '\n';
  return line;
}

std::string json_line(const mmio_record& record) {
  json object;
  const std::vector<std::string> cell = cells(record);
  for (std::size_t i = 0; i < columns; ++i) object[column_names[i]] = cell[i];
  object["time_fs"] = record.time;
  object["line"] = record.line;
  object["bytes"] = record.bytes;
  return object.dump();
}

std::vector<mmio_record> read_mmio_log(const std::string& file) {
  std::ifstream in = open_input_file(file);
  return is_csv(file) ? read_csv(in, file) : read_json(in, file);
}

}  // namespace heddle
