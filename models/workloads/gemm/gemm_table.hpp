// The table of `heddle gemm` for people: of each mesh what the formulas say and, right below it,
// what was simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/workloads/gemm/gemm_model.hpp"
#include "models/workloads/gemm/gemm_simulation.hpp"

namespace heddle {

struct gemm_row {
  gemm_kernel kernel;
  std::uint64_t side;
  gemm_estimate software, hardware;
  std::optional<simulated_gemm> simulated;
  std::string obstacle;  // why it is not simulated, although it was asked for
};

double speed_up(const gemm_row& row);
double saving(const gemm_row& row);
double speed_up(const simulated_gemm& of);
double saving(const simulated_gemm& of);

// Lines as they come, to standard output.
void print_gemm_head(gemm_kernel kernel, std::int64_t tile);
void print_gemm_row(const gemm_row& row);
// What a reader has to know of the rows of one kernel.
void print_gemm_notes(const std::vector<gemm_row>& rows, std::int64_t largest_simulated);

}  // namespace heddle
