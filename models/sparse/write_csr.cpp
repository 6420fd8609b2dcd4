#include <cstring>
#include <string>
#include <string_view>

#include "models/sparse/csr_file.hpp"
#include "models/sparse/csr_format.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {
namespace {

template <typename Item>
std::string_view bytes_of(const Item* items, std::uint64_t count) {
  return {reinterpret_cast<const char*>(items), count * sizeof(Item)};
}

}  // namespace

void write_csr(const std::string& path, const csr_view& matrix) {
  csr_header header{{},
                    matrix.rows,
                    matrix.columns,
                    matrix.nonzeros(),
                    matrix.value == nullptr ? 0 : sizeof(double)};
  std::memcpy(header.magic, csr_magic, sizeof header.magic);
  output_file file(path);
  file.write(bytes_of(&header, 1));
  file.write(bytes_of(matrix.row_begin, matrix.rows + 1));
  file.write(bytes_of(matrix.column, matrix.nonzeros()));
  const std::uint64_t padding =
      csr_column_bytes(matrix.nonzeros()) - matrix.nonzeros() * sizeof(column_index);
  file.write(std::string(padding, '\0'));
  if (matrix.value != nullptr) file.write(bytes_of(matrix.value, matrix.nonzeros()));
  file.commit();
}

}  // namespace heddle
