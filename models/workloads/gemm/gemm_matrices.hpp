// Inputs of a GEMM on a mesh of tiles (sw/kernels/gemm.h), where they lie, and what must come out
// of it, bit for bit. Rank r is the tile in column r mod columns of row r / columns.
//
//   SUMMA                C(y, x) = A(y, 0) B(0, x) + A(y, 1) B(1, x) + ..., one chain of fused
//                        multiply-adds an element (platform/tensor/multiply.hpp); at every rank
//   FusedConcatLinear    the sum over ranks of A(r) B(r), in the order of the reduction on the mesh
//                        (models/workloads/collective/golden/golden_mesh.hpp); at rank 0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workloads/gemm/gemm_config.hpp"
#include "platform/workload/rank_check.hpp"

namespace heddle {

class gemm_matrices {
 public:
  gemm_matrices(const gemm_config& config, std::size_t ranks, const boot_job& job,
                std::uint64_t seed);

  // Throws user_error when the memories are too small or the tiles not cut evenly.
  void check_fit(const rank_resources& rank) const;
  // Into the memories of ranks and memory tiles, without simulated time.
  void write(const std::vector<rank_core*>& cores) const;
  // Tile of C; empty where the kernel leaves no result.
  expected_part for_rank(std::size_t rank) const;
  double flops() const;  // of all ranks

 private:
  using tile = std::vector<double>;
  bool is_summa() const { return config_.is_summa(); }
  std::size_t rows() const { return ranks_ / config_.columns; }
  std::size_t elements() const { return std::size_t{job_.tile} * job_.tile; }
  std::uint64_t tile_bytes() const { return elements() * sizeof(double); }
  // Of SUMMA, line and step; of FusedConcatLinear, rank and 0.
  tile a(std::size_t line, std::size_t step) const;
  tile b(std::size_t line, std::size_t step) const;
  tile random_tile(std::uint64_t number) const;
  void write_to_row(const std::vector<rank_core*>& cores, std::size_t row, std::uint64_t number,
                    const tile& data) const;
  tile in_slices(const tile& whole) const;
  tile product(std::size_t rank) const;

  const gemm_config& config_;
  const std::size_t ranks_;
  const boot_job job_;
  const std::uint64_t seed_;
};

}  // namespace heddle
