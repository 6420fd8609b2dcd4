// Whatever the text, the Matrix Market reader either returns a matrix that is consistent, or throws
// user_error.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/sparse/matrix_market.hpp"
#include "platform/text/diagnostic.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const heddle::csr_matrix& matrix) {
  require(matrix.columns > 0 && matrix.row_begin.size() > 1 && matrix.row_begin.front() == 0);
  require(matrix.row_begin.back() == matrix.column.size());
  require(matrix.value.empty() || matrix.value.size() == matrix.column.size());
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    require(matrix.row_begin[row] <= matrix.row_begin[row + 1]);
    for (std::uint64_t i = matrix.row_begin[row]; i < matrix.row_begin[row + 1]; ++i) {
      require(matrix.column[i] < matrix.columns);
      require(i == matrix.row_begin[row] || matrix.column[i - 1] < matrix.column[i]);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t most_rows = 1 << 16;
  try {
    check(heddle::parse_matrix_market({reinterpret_cast<const char*>(data), size}, "input",
                                      most_rows));
  } catch (const heddle::user_error& error) {
    require(std::string(error.what()).rfind("input:", 0) == 0);
  }
  return 0;
}
