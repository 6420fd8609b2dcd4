#include "models/sparse/matrix_market_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "platform/text/quote.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

// The banner's words are the same in capitals.
std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// One of `supported`; says so where the format knows the word and this reader does not.
std::string choice(text_lines& lines, const char* what, const std::vector<std::string>& supported,
                   const std::vector<std::string>& refused) {
  std::string word = lower(lines.word());
  if (std::find(supported.begin(), supported.end(), word) != supported.end()) return word;
  if (std::find(refused.begin(), refused.end(), word) != refused.end())
    lines.refuse(fmt::format("{} {} is not supported, only {}", what, heddle::quoted(word),
                             fmt::join(supported, ", ")));
  lines.refuse(
      fmt::format("unknown {} {}{}", what, heddle::quoted(word), did_you_mean(word, supported)));
}

void read_banner(text_lines& lines, market_header& header) {
  const std::string gzip_magic = "\x1f\x8b";
  if (!lines.next()) lines.refuse_line("the file is empty");
  if (lines.line().substr(0, 2) == gzip_magic)
    lines.refuse("the file is compressed by gzip: unpack it with gunzip");
  const std::string_view banner = lines.word();
  if (lower(banner) != "%%matrixmarket")
    lines.refuse("a Matrix Market file begins with %%MatrixMarket, this one with " +
                 quoted(banner));
  choice(lines, "object", {"matrix"}, {"vector"});
  choice(lines, "format", {"coordinate"}, {"array"});
  const std::string field =
      choice(lines, "field", {"pattern", "integer", "real", "double"}, {"complex"});
  header.has_values = field != "pattern";
  const std::string symmetry =
      choice(lines, "symmetry", {"general", "symmetric", "skew-symmetric"}, {"hermitian"});
  if (symmetry == "symmetric") header.symmetry = market_symmetry::symmetric;
  if (symmetry == "skew-symmetric") header.symmetry = market_symmetry::skew;
  lines.expect_end();
}

std::uint64_t read_size(text_lines& lines, const char* what, std::uint64_t most) {
  const std::uint64_t size = lines.count(what);
  if (size < 1 || size > most)
    lines.refuse(fmt::format("expected {} of 1 to {}, found {}", what, most, size));
  return size;
}

}  // namespace

market_header read_market_header(text_lines& lines, std::uint64_t most_rows) {
  market_header header;
  read_banner(lines, header);
  do {
    if (!lines.next()) lines.refuse_line("the file ends before the line of sizes");
  } while (lines.is_blank() || lines.line().front() == '%');
  header.rows = read_size(lines, "a number of rows", most_rows);
  header.columns = read_size(lines, "a number of columns", most_rows);
  header.entries = lines.count("a number of entries");
  lines.expect_end();
  if (header.symmetry != market_symmetry::general && header.rows != header.columns)
    lines.refuse(
        fmt::format("{} rows and {} columns are not symmetric", header.rows, header.columns));
  return header;
}

}  // namespace heddle
