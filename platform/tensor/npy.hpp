// Tensors in NumPy's .npy files, little-endian.
//
// A file is read as the type that the caller wants: '<f2' for fp16, '<f4' for fp32, '<f8' for fp64,
// '<i4' for int32. NumPy has no bf16 and no fp8: their bits are read from '<u2', '|V2' or '<V2' and
// from '|u1' or '|V1', and written as '<u2' and '|u1'.
//
// Limitations: C order only, except that in one dimension the order means nothing; no big-endian
// or structured types, no pickled objects.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/tensor/dtype.hpp"

namespace heddle {

struct npy_array {
  dtype type = dtype::fp32;
  std::vector<std::size_t> shape;  // slowest dimension first; empty for a single number
  std::vector<std::byte> data;     // packed, C order
};

// Formats 1.0, 2.0 and 3.0. Mistakes in the file are user_error "name: byte 10: ...", among them
// another type than wanted, missing data and bytes left over.
npy_array parse_npy(const std::byte* bytes, std::size_t size, const std::string& name,
                    dtype wanted);

npy_array read_npy(const std::filesystem::path& path, dtype wanted);

// The same checks and the shape alone: the data stay in the file.
std::vector<std::size_t> read_npy_shape(const std::filesystem::path& path, dtype wanted);

// What precedes the data in a file of format 1.0. At most 64 dimensions.
std::string npy_preamble(dtype type, const std::vector<std::size_t>& shape);

// Writes beside path and renames, so that nobody sees half a file. user_error if that fails.
void write_npy(const std::filesystem::path& path, const npy_array& array);

}  // namespace heddle
