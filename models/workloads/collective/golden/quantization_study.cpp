#include "models/workloads/collective/golden/quantization_study.hpp"

#include <algorithm>
#include <cmath>

#include "models/workloads/collective/golden/golden_quantized.hpp"
#include "platform/tensor/compare.hpp"

namespace heddle {
namespace {

double root_mean_square(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

quantization_error error_of(const tensor_bytes& result, const std::vector<double>& reference) {
  std::vector<double> values(reference.size());
  to_double(dtype::fp32, result.data(), values.data(), values.size());
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    largest = std::max(largest, std::fabs(values[i] - reference[i]));
  const double scale = root_mean_square(reference);
  return {relative_error(dtype::fp32, result.data(), reference.data(), values.size()),
          scale > 0 ? largest / scale : largest};
}

// Whether no row lies between the two in the sorted values of one column.
template <typename Column>
bool are_neighbors(const std::vector<quantization_comparison>& rows, std::size_t low,
                   std::size_t high, Column column) {
  return low < high && std::none_of(rows.begin(), rows.end(), [&](const auto& row) {
           return column(row) > low && column(row) < high;
         });
}

}  // namespace

double quantization_error::sqnr_db() const {
  return -20 * std::log10(relative_rms);
}

quantization_comparison compare_quantized_allreduces(const quantization& how, dtype type,
                                                     const rank_inputs& inputs,
                                                     const std::vector<double>& reference) {
  const std::size_t elements = reference.size();
  const quantized_tensor in_switch = golden_inq_allreduce(how, type, inputs, elements);
  quantization_comparison row;
  row.how = how;
  row.inq = error_of(golden_dequantize(how, in_switch, elements, dtype::fp32), reference);
  row.ring = error_of(golden_ring_quantized_allreduce(how, type, inputs, elements, dtype::fp32),
                      reference);
  row.compression = static_cast<double>(elements * size_of(type)) /
                    static_cast<double>(in_switch.data.size() + in_switch.scales.size());
  return row;
}

growth_exceptions exceptions_from_growth(const std::vector<quantization_comparison>& rows,
                                         comparison_value value) {
  const auto block = [](const quantization_comparison& row) { return row.how.block; };
  const auto bits = [](const quantization_comparison& row) { return std::size_t{row.how.bits}; };
  growth_exceptions found;
  for (const quantization_comparison& a : rows) {
    for (const quantization_comparison& b : rows) {
      const double before = (a.*value)(), after = (b.*value)();
      const bool grows = after > before || std::isnan(before) || std::isnan(after);
      if (bits(a) == bits(b) && are_neighbors(rows, block(a), block(b), block) && !grows)
        ++found.with_block;
      if (block(a) == block(b) && are_neighbors(rows, bits(b), bits(a), bits) && !grows)
        ++found.with_fewer_bits;
    }
  }
  return found;
}

std::size_t exceptions_from_advantage(const std::vector<quantization_comparison>& rows) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const auto& row) {
    return !(row.inq.relative_rms < row.ring.relative_rms);
  }));
}

}  // namespace heddle
