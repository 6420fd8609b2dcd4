// What reader and writer of binary CSR files (csr_file.hpp) share.
#pragma once

#include <cstdint>

#include "models/sparse/row_partition.hpp"

namespace heddle {

inline constexpr char csr_magic[] = "HDLCSR01";

struct csr_header {
  char magic[8];
  std::uint64_t rows, columns, nonzeros, value_bytes;
};
static_assert(sizeof(csr_header) == 40);

// Bytes of the column indices, padded with zeros to a multiple of 8.
inline std::uint64_t csr_column_bytes(std::uint64_t nonzeros) {
  return (nonzeros * sizeof(column_index) + 7) / 8 * 8;
}

}  // namespace heddle
