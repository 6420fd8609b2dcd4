// The formulas against numbers worked out by hand from collective NoC, and Table 1.
#include "models/workloads/gemm/gemm_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "models/workloads/collective/mesh_laws.hpp"

using namespace heddle;

TEST_CASE("run times of collectives by the laws") {
  using namespace mesh_laws;
  CHECK(multicast_hardware(4, 32) == 65);       // 30 + 32 + 3
  CHECK(multicast_tree(4, 16) == 154);          // 46 + 37 + 35 + 36
  CHECK(multicast_tree(16, 32) == 396);         // 62 + 65 + 57 + 53 + 51 + 3 x 36
  CHECK(multicast_sequential(4, 512) == 1322);  // 4 batches: 158 + 6 x 194
  CHECK(multicast_sequential(4, 16) == 292);    // 1 batch: 46 + 3 x 82; 2: 38 + 4 x 74
  CHECK(reduction_hardware(1, 32) == 62);
  CHECK(reduction_hardware(16, 32) == 2 * 62);
  // One batch: copy 19 + 32, 30, sum 32 x 1.16, in each of 8 levels.
  CHECK(reduction_tree(16, 16, 32) == Approx(8 * (51 + 30 + 32 * 1.16)));
  // One beat: 2 (1 + 28 + 1) steps of 19 + 1 and 4 x 16 + 28, but the last of these.
  CHECK(reduction_sequential(16, 16, 1) == 60 * (20 + 92) - 92);
  // 16 beats in a row of 4: 6 steps of 35 and 32, but the last of these.
  CHECK(reduction_sequential(4, 1, 16) == 370);
}

TEST_CASE("batches with which pipelined collectives take least") {
  using namespace mesh_laws;
  CHECK(best_batch_of_multicast(4, 1, 512) == 103);  // 5: 133 + 7 x 169; 128 x 4: 158 + 6 x 194
  CHECK(best_batch_of_multicast(4, 1, 16) == 16);
  CHECK(best_batch_of_multicast(4, 4, 512) == 128);  // 158 + 12 x 194; 103: 133 + 14 x 169
  CHECK(best_batch_of_multicast(1, 1, 1) == 1);
  CHECK(best_batch_of_sequential_reduction(4, 1, 16) == 16);
  CHECK(best_batch_of_tree_reduction(16) == 16);
  CHECK(best_batch_of_tree_reduction(512) == 128);  // 147 + 30 + 3 x 178.48 + 148.48
}

TEST_CASE("SUMMA by the formulas") {
  const auto estimate = [](gemm_version version, std::uint64_t side) {
    return estimate_gemm(gemm_kernel::summa, version, side, 16);
  };
  const gemm_estimate software = estimate(gemm_version::software, 16);
  const gemm_estimate hardware = estimate(gemm_version::hardware, 16);
  CHECK(software.compute == Approx(8192 / 15.696));
  CHECK(software.time == 792);                       // two trees of 396: bound by communication
  CHECK(hardware.time == Approx(hardware.compute));  // 2 x 77 of multicasts
  CHECK(hardware.utilization == Approx(0.981));
  CHECK(estimate(gemm_version::hardware, 256).time == 634);   // 2 x (30 + 32 + 255)
  CHECK(estimate(gemm_version::software, 256).time == 2432);  // 2 x 1216
}

TEST_CASE("FusedConcatLinear by the formulas") {
  const auto estimate = [](gemm_version version, std::uint64_t side) {
    return estimate_gemm(gemm_kernel::fused_concat_linear, version, side, 16);
  };
  CHECK(estimate(gemm_version::hardware, 16).time == Approx(8192 / 15.696 + 124));
  CHECK(estimate(gemm_version::software, 16).time == Approx(8192 / 15.696 + 8 * 118.12));
  CHECK(estimate(gemm_version::hardware, 64).time == 64 * 32 + 124);  // the load takes longer
}

TEST_CASE("counts are those of Table 1") {
  const auto thousands = [](gemm_kernel kernel, gemm_version version) {
    const gemm_counts n = estimate_gemm(kernel, version, 16, 16).counts;
    std::vector<long> rounded;
    for (const double each :
         {n.dma_load, n.dma_store, n.hop, n.spm_write, n.gemm, n.sw_reduce, n.dca_reduce})
      rounded.push_back(std::lround(each / 1000));
    return rounded;
  };
  const auto summa = gemm_kernel::summa, fcl = gemm_kernel::fused_concat_linear;
  const auto sw = gemm_version::software, hw = gemm_version::hardware;
  CHECK(thousands(summa, sw) == std::vector<long>{66, 983, 1114, 983, 1049, 0, 0});
  CHECK(thousands(summa, hw) == std::vector<long>{66, 66, 983, 983, 1049, 0, 0});
  CHECK(thousands(fcl, sw) == std::vector<long>{524, 524, 4524, 522, 1049, 65, 0});
  CHECK(thousands(fcl, hw) == std::vector<long>{524, 72, 3932, 35, 1049, 0, 65});
}

TEST_CASE("energy is the sum of counts times costs") {
  gemm_counts n;
  n.dma_load = n.dma_store = n.hop = n.spm_write = n.gemm = n.sw_reduce = n.dca_reduce = 1000;
  CHECK(n.joules({}) == Approx(1e-9 * (2.2 + 2.4 + 1.1 + 1.8 + 24.6 + 22.4 + 19.0)));
}
