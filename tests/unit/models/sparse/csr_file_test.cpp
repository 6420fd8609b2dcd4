#include "models/sparse/csr_file.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <random>
#include <set>

#include "models/sparse/matrix_market.hpp"
#include "models/sparse/open_matrix.hpp"
#include "platform/text/quote.hpp"
#include "tests/support/scratch_folder.hpp"

namespace heddle {
namespace {

csr_matrix three_rows() {
  csr_matrix matrix;
  matrix.columns = 5;
  matrix.row_begin = {0, 2, 2, 3};
  matrix.column = {1, 4, 0};
  matrix.value = {.5, -1, 3};
  return matrix;
}

std::string file_of(const csr_matrix& matrix) {
  const scratch_folder folder;
  write_csr(folder.file("m.csr"), matrix.view());
  return folder.content("m.csr");
}

std::string error_of(const std::string& file) {
  const std::vector<std::uint64_t> aligned((file.size() + 7) / 8);
  auto* const bytes = reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(aligned.data()));
  std::transform(file.begin(), file.end(), bytes,
                 [](char byte) { return static_cast<std::byte>(byte); });
  try {
    parse_csr(bytes, file.size(), "m.csr");
  } catch (const user_error& error) {
    return error.what();
  }
  return "no error";
}

// The file of three_rows() with another item of that size at the offset.
template <typename Item>
std::string with(std::size_t offset, Item item) {
  std::string file = file_of(three_rows());
  std::memcpy(file.data() + offset, &item, sizeof item);
  return file;
}

TEST_CASE("a binary file holds what its description says") {
  const std::string file = file_of(three_rows());
  CHECK(file.size() == 40 + 4 * 8 + 16 + 3 * 8);
  CHECK(file.substr(0, 8) == "HDLCSR01");
  CHECK(error_of(file) == "no error");
  csr_matrix pattern = three_rows();
  pattern.value.clear();
  CHECK(file_of(pattern).size() == 40 + 4 * 8 + 16);
  CHECK(error_of(file_of(pattern)) == "no error");
}

TEST_CASE("mistakes in a binary file name the byte") {
  const std::string file = file_of(three_rows());
  CHECK(error_of("\x1f\x8b") ==
        "m.csr: byte 0: the file is compressed by gzip: unpack it with gunzip");
  CHECK(error_of("") == "m.csr: byte 0: the file ends within its header of 40 bytes");
  CHECK(error_of(with(0, 'X')) ==
        "m.csr: byte 0: a matrix of compressed rows begins with HDLCSR01");
  CHECK(error_of(with<std::uint64_t>(8, 0)) ==
        "m.csr: byte 8: expected 1 to 4294967295 rows, found 0");
  CHECK(error_of(with<std::uint64_t>(32, 4)) == "m.csr: byte 32: values have 0 or 8 bytes, not 4");
  CHECK(error_of(file.substr(0, 111)) ==
        "m.csr: byte 111: the file ends, but 3 rows with 3 nonzeros are announced");
  CHECK(
      error_of(with<std::uint64_t>(24, std::uint64_t{1} << 62)) ==
      "m.csr: byte 112: the file ends, but 3 rows with 4611686018427387904 nonzeros are announced");
  CHECK(error_of(file + "xyz") == "m.csr: byte 112: 3 bytes follow the matrix");
  CHECK(error_of(with<std::uint64_t>(40, 1)) == "m.csr: byte 40: row 0 begins at nonzero 0, not 1");
  CHECK(error_of(with<std::uint64_t>(56, 1)) ==
        "m.csr: byte 56: row 1 ends at nonzero 1, before it begins");
  CHECK(error_of(with<std::uint64_t>(64, 4)) ==
        "m.csr: byte 64: rows have 4 nonzeros, 3 are announced");
  CHECK(error_of(with<std::uint32_t>(80, 5)) == "m.csr: byte 80: row 2 has column 5 of 5");
  CHECK(error_of(with<std::uint32_t>(76, 1)) ==
        "m.csr: byte 76: row 0 has column 1 behind column 1: columns ascend, each once");
  CHECK(error_of(with(96, std::numeric_limits<double>::infinity())) ==
        "m.csr: byte 96: value 1 is not finite in single precision");
  CHECK(error_of(with(96, -1e39)) == "m.csr: byte 96: value 1 is not finite in single precision");
}

// As a Matrix Market file with its entries in any order.
std::string market_of(const csr_matrix& matrix, std::mt19937_64& random) {
  std::vector<std::string> entries;
  for (std::uint64_t row = 0; row < matrix.rows(); ++row)
    for (std::uint64_t i = matrix.row_begin[row]; i < matrix.row_begin[row + 1]; ++i)
      entries.push_back(std::to_string(row + 1) + " " + std::to_string(matrix.column[i] + 1) +
                        (matrix.value.empty() ? "" : " " + std::to_string(matrix.value[i])) + "\n");
  std::shuffle(entries.begin(), entries.end(), random);
  std::string text = std::string("%%MatrixMarket matrix coordinate ") +
                     (matrix.value.empty() ? "pattern" : "real") + " general\n" +
                     std::to_string(matrix.rows()) + " " + std::to_string(matrix.columns) + " " +
                     std::to_string(entries.size()) + "\n";
  for (const std::string& each : entries) text += each;
  return text;
}

csr_matrix random_matrix(std::mt19937_64& random) {
  csr_matrix matrix;
  matrix.columns = random() % 20 + 1;
  const bool has_values = random() % 2 == 0;
  for (std::uint64_t row = random() % 20 + 1; row > 0; --row) {
    std::set<column_index> columns;
    for (std::uint64_t i = random() % 8; i > 0; --i)
      columns.insert(static_cast<column_index>(random() % matrix.columns));
    for (const column_index each : columns) {
      matrix.column.push_back(each);
      if (has_values) matrix.value.push_back(static_cast<double>(random() % 64) / 8 - 4);
    }
    matrix.row_begin.push_back(matrix.column.size());
  }
  return matrix;
}

TEST_CASE("both formats bring a random matrix back, whatever the number of nodes") {
  std::mt19937_64 random(GENERATE(range(0, 50)));
  const csr_matrix matrix = random_matrix(random);
  const scratch_folder folder;
  const std::string paths[] = {folder.write("m.mtx", market_of(matrix, random)),
                               folder.file("m.csr")};
  write_csr(paths[1], matrix.view());
  const auto nodes = static_cast<std::uint32_t>(random() % 8 + 1);
  for (const std::string& path : paths) {
    const auto source = open_matrix(path, nodes, 1, {});
    std::vector<column_index> columns(matrix.column.size());
    std::vector<double> values(columns.size());
    std::uint64_t done = 0;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const std::uint64_t count = source->nonzeros_of(node);
      REQUIRE(done + count <= columns.size());
      source->read_columns(node, 0, count, columns.data() + done);
      source->read_values(node, 0, count, values.data() + done);
      done += count;
    }
    CHECK(done == columns.size());
    CHECK(columns == matrix.column);
    CHECK(values == (matrix.value.empty() ? std::vector<double>(done, 1) : matrix.value));
  }
}

TEST_CASE("what is no matrix is refused where the netlist names it") {
  const scratch_folder folder;
  const auto error = [](const std::string& path, double scale) -> std::string {
    try {
      open_matrix(path, 2, scale, {"n.yaml", 3, 4});
    } catch (const user_error& caught) {
      return caught.what();
    }
    return "no error";
  };
  folder.write("queen.yaml", "");
  CHECK(error(folder.file("queen.yaml"), 2) == "n.yaml:3:4: the scale of stand-in " +
                                                   heddle::quoted(folder.file("queen.yaml")) +
                                                   " is above 0 and at most 1, not 2");
  CHECK(error(folder.write("m.txt", ""), 1).find("is neither") != std::string::npos);
  CHECK(error(folder.write("m.mtx", ""), 0.5) == "n.yaml:3:4: only a stand-in has a scale, " +
                                                     heddle::quoted(folder.file("m.mtx")) +
                                                     " is a real matrix");
}

}  // namespace
}  // namespace heddle
