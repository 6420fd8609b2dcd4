#include "models/sparse/matrix_market.hpp"

#include <catch2/catch.hpp>

#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

const std::string banner = "%%MatrixMarket matrix coordinate ";

std::string error_of(const std::string& text) {
  try {
    parse_matrix_market(text, "m.mtx", 1000);
  } catch (const user_error& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("entries in any order become rows with ascending columns") {
  const csr_matrix matrix = parse_matrix_market(
      banner + "real general\r\n% a comment\n\n3 4 4\n3 4 1.5\n1 2 -2e3\n\n3 1 +4\n1\t1 .5\n", "m");
  CHECK(matrix.columns == 4);
  CHECK(matrix.row_begin == std::vector<std::uint64_t>{0, 2, 2, 4});
  CHECK(matrix.column == std::vector<column_index>{0, 1, 0, 3});
  CHECK(matrix.value == std::vector<double>{.5, -2e3, 4, 1.5});
}

TEST_CASE("a pattern has no values, and the last line needs no end") {
  const csr_matrix matrix =
      parse_matrix_market("%%MATRIXMARKET Matrix Coordinate Pattern General\n2 2 1\n2 1", "m");
  CHECK(matrix.value.empty());
  CHECK(matrix.row_begin == std::vector<std::uint64_t>{0, 0, 1});
}

TEST_CASE("symmetric matrices are expanded") {
  const csr_matrix plain =
      parse_matrix_market(banner + "integer symmetric\n3 3 3\n3 1 7\n2 2 5\n2 1 4\n", "m");
  CHECK(plain.row_begin == std::vector<std::uint64_t>{0, 2, 4, 5});
  CHECK(plain.column == std::vector<column_index>{1, 2, 0, 1, 0});
  CHECK(plain.value == std::vector<double>{4, 7, 4, 5, 7});
  const csr_matrix skew = parse_matrix_market(banner + "real skew-symmetric\n2 2 1\n2 1 3\n", "m");
  CHECK(skew.value == std::vector<double>{-3, 3});
}

TEST_CASE("mistakes in the head of a Matrix Market file name their place") {
  CHECK(error_of("") == "m.mtx: the file is empty");
  CHECK(error_of("\x1f\x8b\x08") ==
        "m.mtx:1:1: the file is compressed by gzip: unpack it with gunzip");
  CHECK(error_of("hello\n") ==
        "m.mtx:1:1: a Matrix Market file begins with %%MatrixMarket, this one with \"hello\"");
  CHECK(error_of(banner + "rael general\n") ==
        "m.mtx:1:34: unknown field \"rael\" (did you mean 'real'?)");
  CHECK(error_of(banner + "complex general\n") ==
        "m.mtx:1:34: field \"complex\" is not supported, only pattern, integer, real, double");
  CHECK(error_of("%%MatrixMarket matrix array real general\n") ==
        "m.mtx:1:23: format \"array\" is not supported, only coordinate");
  CHECK(error_of(banner + "real general\n% no more\n") ==
        "m.mtx:2: the file ends before the line of sizes");
  CHECK(error_of(banner + "real general\n3 x 1\n") ==
        "m.mtx:2:3: expected a number of columns, found \"x\"");
  CHECK(error_of(banner + "real general\n1001 1 1\n") ==
        "m.mtx:2:1: expected a number of rows of 1 to 1000, found 1001");
  CHECK(error_of(banner + "real symmetric\n2 3 1\n") ==
        "m.mtx:2:6: 2 rows and 3 columns are not symmetric");
}

TEST_CASE("mistakes in entries name their place") {
  const std::string head = banner + "real general\n3 3 2\n";
  CHECK(error_of(head + "1 1 1\n") == "m.mtx:3: the file ends after 1 of 2 entries");
  CHECK(error_of(head + "1 1 1\n2 2 2\n3 3 3\n") ==
        "m.mtx:5: more than the 2 entries that are announced");
  CHECK(error_of(head + "4 1 1\n") == "m.mtx:3:1: row 4 is outside of 1 to 3");
  CHECK(error_of(head + "1 0 1\n") == "m.mtx:3:3: column 0 is outside of 1 to 3");
  CHECK(error_of(head + "1 1\n") == "m.mtx:3:4: expected a value, the line ends");
  CHECK(error_of(head + "1 1 nan\n") == "m.mtx:3:5: expected a value, found \"nan\"");
  CHECK(error_of(head + "1 1 1\n2 2 -1e39\n") ==
        "m.mtx:4:5: value -1e+39 is infinite in single precision, in which sparse kernels compute");
  // The largest number of single precision is 3.40282347e38; what lies nearer to it is rounded to
  // it.
  CHECK_THAT(error_of(head + "1 1 3.4028235678e38\n"), Catch::Contains("is infinite in single"));
  CHECK(error_of(head + "1 1 3.4028235677e38\n") == "m.mtx:3: the file ends after 1 of 2 entries");
  CHECK(error_of(head + "1 1 1 1\n") == "m.mtx:3:7: the line should end here, found \"1\"");
  CHECK(error_of(head + "2 3 1\n2 3 4\n") == "m.mtx:4: row 2, column 3 is there twice");
  CHECK(error_of(banner + "real symmetric\n3 3 1\n1 2 1\n") ==
        "m.mtx:3:3: a symmetric file holds the lower triangle alone, this is above the diagonal");
  CHECK(error_of(banner + "real skew-symmetric\n3 3 1\n2 2 1\n") ==
        "m.mtx:3:3: the diagonal of a skew-symmetric matrix is 0 and not stored");
}

}  // namespace
}  // namespace heddle
