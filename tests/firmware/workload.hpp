// Jobs with random data and what they must leave behind.
#pragma once

#include <cstdint>
#include <ostream>

#include "sw/collectives/algorithms.h"
#include "tests/firmware/cluster.hpp"

namespace heddle::test {

struct workload {
  boot_collective collective = BOOT_ALLREDUCE;
  boot_algorithm algorithm = BOOT_RING;
  boot_dtype type = BOOT_FP16;
  boot_op op = BOOT_SUM;
  std::uint64_t elements = 1;
  std::uint32_t slots = 4;
  std::uint64_t slot_bytes = 64;
  std::uint32_t root = 0;
  std::uint32_t iterations = 1;
  std::uint32_t sides = 0;  // of a torus; then `slots` are stripes
  std::uint32_t flags = 0;  // of the job, as far as its algorithm knows them
};

std::ostream& operator<<(std::ostream& out, const workload& work);

cluster_job make_job(const workload& work, std::uint32_t ranks, std::uint64_t seed);

// Any collective, type, operator and root; small slots, up to 3000 elements.
workload random_workload(std::mt19937_64& random, std::uint32_t ranks);

// Runs the registered app on a cluster with random timing; "" or what went wrong.
std::string run_collectives(const cluster_options& options, const std::vector<workload>& works,
                            std::uint64_t seed);

}  // namespace heddle::test
