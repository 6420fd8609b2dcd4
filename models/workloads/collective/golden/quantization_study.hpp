// How much a quantized all-reduce loses, in the switch and around a ring (SCIN 4.2, Table 1), as
// the error of the result against a float64 reduction of the same inputs.
#pragma once

#include <cstddef>
#include <vector>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/quantize.hpp"

namespace heddle {

struct quantization_error {
  double relative_rms = 0;  // ||result - reference|| / ||reference||
  double largest = 0;       // max |result - reference|, over the reference's root mean square
  double sqnr_db() const;   // signal to quantization noise
};

struct quantization_comparison {
  quantization how;
  quantization_error inq;
  quantization_error ring;
  double compression = 0;  // bytes of the type over bytes of integers and scales

  double gap() const { return ring.relative_rms - inq.relative_rms; }
  double ratio() const { return ring.relative_rms / inq.relative_rms; }
};

// reference holds float64_sum of the inputs.
quantization_comparison compare_quantized_allreduces(const quantization& how, dtype type,
                                                     const rank_inputs& inputs,
                                                     const std::vector<double>& reference);

// Pairs of rows that differ in one thing alone, and by one step of the table, but in which the
// value does not grow as SCIN 4.2 says: with the block at the same bits, with fewer bits at the
// same block.
struct growth_exceptions {
  std::size_t with_block = 0;
  std::size_t with_fewer_bits = 0;
};

using comparison_value = double (quantization_comparison::*)() const;
growth_exceptions exceptions_from_growth(const std::vector<quantization_comparison>& rows,
                                         comparison_value value);

// Rows in which the error of INQ is not the smaller one.
std::size_t exceptions_from_advantage(const std::vector<quantization_comparison>& rows);

}  // namespace heddle
