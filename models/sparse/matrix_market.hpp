// Matrices in the Matrix Market exchange format, coordinates alone (Boisvert, Pozo, Remington: The
// Matrix Market Exchange Formats, NISTIR 5935).
//
// Fields pattern, integer, real and double; symmetries general, symmetric and skew-symmetric, which
// are expanded. Entries may stand in any order. The text is passed over twice and nothing but the
// result is stored.
//
// Limitations: no dense matrices (array) and no complex numbers; values that single precision does
// not hold are refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/sparse/csr_matrix.hpp"

namespace heddle {

inline constexpr std::uint64_t most_matrix_rows = UINT32_MAX;

// Mistakes are user_error "name:line:column: ...". `most_rows` bounds what a wrong size costs.
csr_matrix parse_matrix_market(std::string_view text, const std::string& name,
                               std::uint64_t most_rows = most_matrix_rows);
csr_matrix read_matrix_market(const std::string& path);

}  // namespace heddle
