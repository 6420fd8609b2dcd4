// Whatever the bytes, the reader of binary CSR files either returns a matrix that is consistent and
// lies within them, or throws user_error.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "models/sparse/csr_file.hpp"
#include "platform/text/diagnostic.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const heddle::csr_view& matrix) {
  for (std::uint64_t row = 0; row < matrix.rows; ++row)
    for (std::uint64_t i = matrix.row_begin[row]; i < matrix.row_begin[row + 1]; ++i) {
      require(matrix.column[i] < matrix.columns);
      require(matrix.value == nullptr || matrix.value[i] - matrix.value[i] == 0);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The allocation is aligned, as a mapped file is, and ends with the data.
  std::vector<std::byte> content(size);
  if (size > 0) std::memcpy(content.data(), data, size);
  try {
    check(heddle::parse_csr(content.data(), size, "input"));
  } catch (const heddle::user_error& error) {
    require(std::string(error.what()).rfind("input: byte ", 0) == 0);
  }
  return 0;
}
