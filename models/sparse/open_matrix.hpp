// The matrix that a netlist names, divided among nodes:
//
//   .mtx    Matrix Market                        (matrix_market.hpp)
//   .csr    compressed rows, binary              (csr_file.hpp)
//   .yaml   a stand-in, computed not stored      (standin.hpp)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "models/sparse/nonzero_source.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {

// `scale` in (0, 1] shrinks a stand-in; real matrices have scale 1. Throws user_error: at `named`,
// where the netlist names the file, for what is wrong with the name, the nodes or the scale; with
// the place in the file for what is wrong there.
std::shared_ptr<const nonzero_source> open_matrix(const std::string& path, std::uint32_t nodes,
                                                  double scale, const source_place& named);

// "1/8", "0.125". Throws quantity_error.
double parse_scale(std::string_view text);

}  // namespace heddle
