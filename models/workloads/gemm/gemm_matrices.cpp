#include "models/workloads/gemm/gemm_matrices.hpp"

#include <fmt/format.h>

#include <cstring>

#include "models/workloads/collective/golden/golden_mesh.hpp"
#include "platform/tensor/multiply.hpp"
#include "platform/tensor/random.hpp"
#include "platform/text/quantity.hpp"
#include "sw/kernels/gemm_layout.h"

namespace heddle {
namespace {

tensor_bytes bytes_of(const std::vector<double>& tile) {
  tensor_bytes bytes(tile.size() * sizeof(double));
  std::memcpy(bytes.data(), tile.data(), bytes.size());
  return bytes;
}

}  // namespace

gemm_matrices::gemm_matrices(const gemm_config& config, std::size_t ranks, const boot_job& job,
                             std::uint64_t seed)
    : config_(config), ranks_(ranks), job_(job), seed_(seed) {}

// As a tensor of its own, so that no two tiles are alike.
gemm_matrices::tile gemm_matrices::random_tile(std::uint64_t number) const {
  tile made(elements());
  fill_uniform(dtype::fp64, made.data(), made.size(), seed_, number);
  return made;
}

gemm_matrices::tile gemm_matrices::a(std::size_t line, std::size_t step) const {
  return random_tile(2 * (line * config_.iterations + step));
}

gemm_matrices::tile gemm_matrices::b(std::size_t line, std::size_t step) const {
  return random_tile(2 * (line * config_.iterations + step) + 1);
}

void gemm_matrices::check_fit(const rank_resources& rank) const {
  if (!is_summa() && job_.tile % config_.iterations != 0)
    throw user_error(config_.place,
                     fmt::format("a tile of {} columns is not cut into {} equal slices along K: "
                                 "`iterations` divides `tile`",
                                 job_.tile, config_.iterations));
  const auto columns = static_cast<std::uint32_t>(config_.columns);
  const auto lines = static_cast<std::uint32_t>(rows());
  const std::uint64_t tiles = is_summa() ? summa_tiles_of_row(&job_, columns, lines) : columns;
  if (tiles * tile_bytes() <= rank.memory_size) return;
  throw user_error(config_.tile_place,
                   fmt::format("a memory tile has {}, its tiles of A and B need {}",
                               format_bytes(rank.memory_size), format_bytes(tiles * tile_bytes())));
}

void gemm_matrices::write_to_row(const std::vector<rank_core*>& cores, std::size_t row,
                                 std::uint64_t number, const tile& data) const {
  const rank_resources from = cores.front()->resources();
  cores.front()->debug_write(from.memory + row * from.memory_size + number * tile_bytes(),
                             data.data(), tile_bytes());
}

void gemm_matrices::write(const std::vector<rank_core*>& cores) const {
  const auto lines = static_cast<std::uint32_t>(rows());
  if (is_summa()) {
    for (std::size_t y = 0; y < rows(); ++y)
      for (std::size_t step = 0; step < config_.iterations; ++step)
        write_to_row(cores, y, step, a(y, step));
    for (std::uint32_t x = 0; x < config_.columns; ++x)
      for (std::size_t step = 0; step < config_.iterations; ++step)
        write_to_row(cores, summa_row_of_column(x, lines),
                     summa_tiles_before_column(&job_, x, lines) + step, b(x, step));
    return;
  }
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    const std::uint64_t at = cores[rank]->resources().window + job_.data + GEMM_A * tile_bytes();
    cores[rank]->debug_write(at, in_slices(a(rank, 0)).data(), tile_bytes());
    write_to_row(cores, rank / config_.columns, rank % config_.columns, b(rank, 0));
  }
}

gemm_matrices::tile gemm_matrices::in_slices(const tile& whole) const {
  const std::size_t edge = job_.tile, depth = slice_depth(&job_);
  tile cut(whole.size());
  for (std::size_t i = 0; i < edge; ++i)
    for (std::size_t k = 0; k < edge; ++k)
      cut[(k / depth * edge + i) * depth + k % depth] = whole[i * edge + k];
  return cut;
}

gemm_matrices::tile gemm_matrices::product(std::size_t rank) const {
  tile sum(elements(), 0.0);
  const std::size_t y = is_summa() ? rank / config_.columns : rank;
  const std::size_t x = is_summa() ? rank % config_.columns : rank;
  const std::size_t steps = is_summa() ? config_.iterations : 1;
  for (std::size_t step = 0; step < steps; ++step)
    multiply_add(a(y, step).data(), b(x, step).data(), sum.data(), job_.tile, job_.tile, job_.tile);
  return sum;
}

expected_part gemm_matrices::for_rank(std::size_t rank) const {
  if (is_summa()) return {0, elements(), bytes_of(product(rank))};
  if (rank != 0) return {};
  std::vector<tile> products;
  rank_inputs operands;
  for (std::size_t each = 0; each < ranks_; ++each) products.push_back(product(each));
  for (const tile& each : products)
    operands.push_back(reinterpret_cast<const std::byte*>(each.data()));
  return {0, elements(),
          config_.algorithm == BOOT_MESH_HW
              ? golden_mesh_reduce(dtype::fp64, reduce_op::sum, operands, elements(),
                                   config_.columns, 0)
              : golden_mesh_tree_reduce(dtype::fp64, reduce_op::sum, operands, elements(),
                                        config_.columns, 0)};
}

double gemm_matrices::flops() const {
  const double edge = job_.tile, ranks = static_cast<double>(ranks_);
  const double steps = is_summa() ? static_cast<double>(config_.iterations) : 1;
  const double sums = is_summa() ? 0 : (ranks - 1) * edge * edge;
  return 2 * edge * edge * edge * steps * ranks + sums;
}

}  // namespace heddle
