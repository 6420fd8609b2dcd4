// Barriers and point-to-point tests have algorithms of their own, whatever the netlist asks for.
#include "models/workloads/collective/algorithm.hpp"

namespace heddle {
namespace {

collective_algorithm dissemination() {
  collective_algorithm of;
  of.name = "dissemination";
  of.number = BOOT_DISSEMINATION;
  of.meaning = "in round j a rank tells the one 2^j ahead";
  of.collectives = {BOOT_BARRIER};
  of.is_named = false;
  // Hardware for barriers is faster: measured with yaml/scin_dgx8.yaml, 2 to 16 ranks take 1.0 to
  // 4.0 us by software and 0.6 to 0.7 us by in-switch accelerators or NVLS; with
  // yaml/tree_allreduce.yaml, 2 to 32 ranks take 1.1 to 8.7 us by software and 1.1 to 1.9 us by
  // aggregators.
  of.cost = [](const collective_case&) { return 3.0; };
  return of;
}

collective_algorithm write() {
  collective_algorithm of;
  of.name = "write";
  of.number = BOOT_WRITE;
  of.meaning = "rank 0 and rank 1 write to each other";
  of.collectives = {BOOT_P2P_LATENCY, BOOT_P2P_BANDWIDTH};
  of.is_named = false;
  of.load = [](const collective_case&, std::uint64_t place) {
    return place == 0 ? wire_load{1, 0} : wire_load{0, place == 1 ? 1.0 : 0.0};
  };
  of.cost = [](const collective_case&) { return 1.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(dissemination, dissemination());
HEDDLE_REGISTER_ALGORITHM(write, write());

}  // namespace
}  // namespace heddle
