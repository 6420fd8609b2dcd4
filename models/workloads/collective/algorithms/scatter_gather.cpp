// Every rank pushes its buffer once, behind a table of chunks; the switch sends each chunk on.
#include "models/workloads/collective/algorithm.hpp"
#include "sw/drivers/exchange.h"

namespace heddle {
namespace {

collective_algorithm scatter_gather() {
  constexpr std::uint64_t alignment = 128;  // of chunks (in-network collectives 4)
  collective_algorithm of;
  of.name = "scatter_gather";
  of.number = BOOT_SCATTER_GATHER;
  of.meaning = "one submission a rank, which a switch takes apart into chunks for all others";
  of.collectives = {BOOT_ALLTOALL};
  of.setup_needs = {"aggregator"};
  of.hardware = "aggregators in switches";
  of.needs_setup = true;
  of.needs_one_switch = true;
  of.limit = [](const collective_case& what) -> std::string {
    constexpr std::uint64_t entries = EXCHANGE_TABLE_BYTES / sizeof(exchange_entry);
    if (what.ranks > entries) return "table";
    return what.bytes % (what.ranks * alignment) == 0 ? "" : "alignment";
  };
  // The table, and the operands: results must not overwrite what has not been sent.
  of.scratch = [](const boot_job& job, std::uint32_t) {
    return EXCHANGE_TABLE_BYTES + job.elements * job.element_bytes;
  };
  of.load = &load_of_full_wires;
  of.ways = [](const collective_case&) { return 1.0; };
  of.cost = [](const collective_case&) { return 1.5; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(scatter_gather, scatter_gather());

}  // namespace
}  // namespace heddle
