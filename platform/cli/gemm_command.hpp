// heddle gemm: GEMMs on meshes of growing size, software against hardware collectives, by the
// source's formulas and, as far as meshes are small enough, beside it from simulations of
// mesh_gemm.yaml.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct gemm_options {
  std::vector<std::string> kernels = {"summa", "fused_concat_linear"};
  std::vector<std::int64_t> meshes = {4, 8, 16, 32, 64, 128, 256};  // sides, powers of two
  std::int64_t tile = 16;
  std::int64_t simulated = 16;  // the largest mesh to simulate; 0: none
  std::string csv_file, json_file;
};

int gemm_command(const gemm_options& options);

}  // namespace heddle
