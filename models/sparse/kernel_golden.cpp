#include "models/sparse/kernel_golden.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/sparse/csr_matrix.hpp"

namespace heddle {
namespace {

// How numbers of a type are multiplied and added, in which the kernels below are written once.
struct single_precision {
  using number = float;
  static number of(double value) { return static_cast<float>(value); }
  static number step(number sum, number a, number b) { return std::fma(a, b, sum); }
  static number product(number a, number b) { return a * b; }
};
struct double_precision {
  using number = double;
  static number of(double value) { return static_cast<float>(value); }  // values are stored as such
  static number step(number sum, number a, number b) { return sum + a * b; }
  static number product(number a, number b) { return a * b; }
};
// The sum of absolute products, times what each of n roundings may lose. An underflow loses a
// little more than its share.
struct error_bound {
  using number = double;
  static number of(double value) { return std::abs(static_cast<float>(value)); }
  static number step(number sum, number a, number b) { return sum + std::abs(a * b); }
  static number product(number a, number b) { return std::abs(a * b); }
};

template <typename Arithmetic>
class kernel_run final {
 public:
  using number = typename Arithmetic::number;

  kernel_run(const kernel_operands& of, sparse_kernel kernel, std::uint32_t node)
      : of_(of), kernel_(kernel), node_(node) {}

  std::vector<number> result() {
    const row_partition& rows = of_.matrix->rows();
    for (std::uint64_t row = 0; row < rows.rows_of(node_); ++row) {
      const std::uint64_t first = of_.matrix->first_of_row(node_, row);
      const std::size_t count = of_.matrix->first_of_row(node_, row + 1) - first;
      columns_.resize(count);
      values_.resize(count);
      of_.matrix->read_columns(node_, first, count, columns_.data());
      of_.matrix->read_values(node_, first, count, values_.data());
      if (kernel_ == sparse_kernel::sddmm)
        sample_row(rows.first_row(node_) + row);
      else
        multiply_row();
    }
    return std::move(result_);
  }

 private:
  void multiply_row() {
    const std::size_t at = result_.size();
    result_.resize(at + of_.elements);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const float* const property = of_.gathered(columns_[i]);
      const number value = Arithmetic::of(values_[i]);
      for (std::size_t k = 0; k < of_.elements; ++k)
        result_[at + k] = Arithmetic::step(result_[at + k], value, Arithmetic::of(property[k]));
    }
  }

  void sample_row(std::uint64_t row) {
    const float* const own = of_.own(row);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const float* const property = of_.gathered(columns_[i]);
      number sum = 0;
      for (std::size_t k = 0; k < of_.elements; ++k)
        sum = Arithmetic::step(sum, Arithmetic::of(own[k]), Arithmetic::of(property[k]));
      result_.push_back(Arithmetic::product(Arithmetic::of(values_[i]), sum));
    }
  }

  const kernel_operands& of_;
  sparse_kernel kernel_;
  std::uint32_t node_;
  std::vector<column_index> columns_;
  std::vector<double> values_;
  std::vector<number> result_;
};

}  // namespace

std::vector<float> kernel_in_order(const kernel_operands& of, sparse_kernel kernel,
                                   std::uint32_t node) {
  return kernel_run<single_precision>(of, kernel, node).result();
}

std::vector<double> kernel_in_double(const kernel_operands& of, sparse_kernel kernel,
                                     std::uint32_t node) {
  return kernel_run<double_precision>(of, kernel, node).result();
}

std::vector<double> kernel_error_bound(const kernel_operands& of, sparse_kernel kernel,
                                       std::uint32_t node) {
  std::vector<double> bound = kernel_run<error_bound>(of, kernel, node).result();
  // Roundings in a row: one a term, and one for the product of SDDMM.
  std::uint64_t longest = of.elements + 1;
  for (std::uint64_t row = 0; row < of.matrix->rows().rows_of(node); ++row)
    longest = std::max(longest,
                       of.matrix->first_of_row(node, row + 1) - of.matrix->first_of_row(node, row));
  const double each = static_cast<double>(longest) * std::numeric_limits<float>::epsilon();
  for (double& one : bound)
    one = fits_single(one * (1 + each)) ? one * each + std::numeric_limits<float>::min()
                                        : std::numeric_limits<double>::infinity();
  return bound;
}

}  // namespace heddle
