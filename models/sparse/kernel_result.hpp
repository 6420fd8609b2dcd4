// What a sparse kernel computes from the properties that were gathered, and whether it is right:
// bit for bit what the defined order gives with the properties of the owners, and within the bound
// of single precision of the same in float64.
#pragma once

#include <cstdint>
#include <string>

#include "models/sparse/kernel_golden.hpp"

namespace heddle {

struct gathered_properties {
  property_reader arrived;   // as they lie in the node's memory; its own are there, too
  property_reader owners;    // as their owners have them
  property_reader own_rows;  // X of SDDMM
};

// "" when it is right.
std::string kernel_mistake(const nonzero_source& matrix, std::uint32_t node, sparse_kernel kernel,
                           std::uint32_t elements, const gathered_properties& of);

}  // namespace heddle
