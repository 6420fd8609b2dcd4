// The preamble of a NumPy .npy file: magic, version and a Python dictionary literal. Which types a
// file may hold is up to npy.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/text/diagnostic.hpp"

namespace heddle {

// NumPy's own limit; the writer keeps it too.
inline constexpr std::size_t npy_max_dimensions = 64;

struct npy_header {
  std::string descr;  // as written, for example "<f4"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t descr_at = 0;  // bytes from the beginning of the file
  std::size_t fortran_order_at = 0;
  std::size_t shape_at = 0;
  std::size_t data_at = 0;
};

// Reads formats 1.0, 2.0 and 3.0. name stands for the file in errors (user_error).
npy_header parse_npy_header(const std::byte* bytes, std::size_t size, const std::string& name);

// "name: byte 10: message"
user_error npy_error(const std::string& name, std::size_t at, const std::string& message);

// Text from the file, quoted, safe to print and not too long.
std::string npy_quoted(const std::string& text);

}  // namespace heddle
