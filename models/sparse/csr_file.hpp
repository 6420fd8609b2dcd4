// Matrices by compressed rows in binary files, which are mapped, not read. Little-endian:
//
//   byte 0      "HDLCSR01"
//   8, 16, 24   rows, columns, nonzeros          3 x 8 bytes
//   32          bytes of a value: 0 (every nonzero is 1) or 8 (double)
//   40          where each row begins, and the number of nonzeros   (rows + 1) x 8 bytes
//   then        columns, from 0, ascending within a row             nonzeros x 4 bytes
//   then        zeros up to a multiple of 8 bytes
//   then        values                                              nonzeros x 8 bytes, or none
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "models/sparse/csr_matrix.hpp"

namespace heddle {

// The view points into the bytes, which begin at a multiple of 8. Everything is checked: mistakes
// are user_error "name: byte 40: ...".
csr_view parse_csr(const std::byte* bytes, std::size_t size, const std::string& name);

std::shared_ptr<const nonzero_source> open_csr(const std::string& path, std::uint32_t nodes);

// The whole file. Throws user_error where it cannot be written.
void write_csr(const std::string& path, const csr_view& matrix);

}  // namespace heddle
