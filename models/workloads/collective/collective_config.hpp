// What the `workload:` of a netlist says of a collective: which one, how, on what data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/collective/rank_groups.hpp"
#include "platform/tensor/quantize.hpp"
#include "platform/tensor/reduce.hpp"
#include "platform/workload/workload_settings.hpp"
#include "sw/hal/boot.h"

namespace heddle {

// How a receiver learns that its data are there: by a counter that follows when they have been
// acknowledged, by one that is ordered right behind them, or by flags in the packets themselves.
// Chosen: for each size, among those that the fabric and the algorithm allow.
enum class flag_protocol { acknowledged, ordered, in_packet, chosen };

struct collective_config {
  boot_collective collective = BOOT_ALLREDUCE;
  std::vector<std::string> algorithms = {"ring"};  // names, a job each; or "auto"
  quantization quant;                              // of scin_inq
  bool may_quantize = false;                       // where `auto` chooses
  bool is_on_demand = false;          // instructions of in-network hardware are pushed by rank 0
  bool has_single_addresses = false;  // they name one address for all ranks
  std::uint64_t streams = 1;          // of an in-switch accelerator that share a group's data
  group_shape groups = group_shape::all;
  std::uint64_t group_count = 1;  // of blocks
  bool is_chained = false;        // the DMA engine does the steps, not the core
  flag_protocol protocol = flag_protocol::acknowledged;
  dtype type = dtype::fp16;
  reduce_op op = reduce_op::sum;
  std::vector<std::uint64_t> bytes;  // of one rank's tensor, one job each
  std::uint64_t repeat = 1;          // jobs of each size
  std::uint64_t iterations = 1;      // messages of a point-to-point job
  std::uint64_t root = 0;
  std::uint64_t trees = 0;        // of aggregators; 0: their manager chooses
  bool fails_to_software = true;  // what hardware cannot do is done by software; else the run fails
  std::uint64_t slots = 8;
  std::uint64_t channels = 4;        // of the DMA engine, at most
  std::vector<std::uint64_t> sides;  // of a torus of ranks; empty: none
  std::uint64_t stripes = 1;         // of the vector, that go around a torus in different orders
  std::uint64_t slot_bytes = 0;      // 0: chosen for each size
  std::uint64_t pieces = 0;          // of a chunk, instead of slot_bytes
  std::string input;                 // "DIR/rank{r}.npy"; empty: random
  std::string output;                // in the run directory; empty: none
  std::vector<yaml_entry> given;     // the keys of the netlist

  // Of the whole workload where the netlist has no such key.
  source_place place, ranks_place, bytes_place, root_place, algorithm_place, input_place,
      output_place, protocol_place, groups_place, streams_place;
};

// The settings are those of the same workload. Throws user_error.
collective_config read_collective(yaml_mapping& mapping, const workload_settings& settings);

const std::vector<std::string>& collective_names();

const char* name_of(boot_collective collective);

}  // namespace heddle
