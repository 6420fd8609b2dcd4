// All-to-all: in each of N - 1 steps a rank sends one chunk and receives one.
#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

collective_algorithm pairwise() {
  collective_algorithm of;
  of.name = "pairwise";
  of.number = BOOT_PAIRWISE;
  of.meaning = "a chunk to another rank in every step";
  of.collectives = {BOOT_ALLTOALL};
  of.may_be_chained = &chains_all;
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    return ranks > 1 ? receive_region_bytes(&job, 1) : 0;
  };
  of.load = &load_of_full_wires;
  of.cost = [](const collective_case&) { return 4.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(pairwise, pairwise());

}  // namespace
}  // namespace heddle
