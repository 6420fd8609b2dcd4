// An algorithm is one descriptor: what it can do, what it needs, what its results are and how fast
// it may be. `algorithm:` of a netlist, the choice of `auto`, messages, the check of results,
// `heddle models collective` and the table of yaml/REFERENCE.md all follow from it. A descriptor
// registers itself; the C function that firmware runs is a line of sw/collectives/algorithms.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/workloads/collective/golden/golden.hpp"
#include "models/workloads/collective/message_round.hpp"
#include "models/workloads/collective/rank_groups.hpp"
#include "models/workloads/collective/wire_load.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/tensor/quantize.hpp"
#include "sw/collectives/algorithms.h"
#include "sw/hal/boot.h"

namespace heddle {

struct reduction_order;

// A job as algorithms see it: ranks, columns, root and pods are those of one group.
struct collective_case {
  boot_collective collective = BOOT_ALLREDUCE;
  dtype type = dtype::fp16;
  reduce_op op = reduce_op::sum;
  std::uint64_t ranks = 1;
  std::uint64_t columns = 1;  // of the ranks on a mesh
  std::uint64_t root = 0;
  std::vector<std::uint64_t> sides;  // of a torus of the ranks; empty: none
  std::uint64_t stripes = 1;         // of the vector on it
  rank_groups groups;                // of all ranks that work at the same time
  std::uint64_t pod = 0;             // ranks that share a multicast region; 0: no such pods
  std::uint64_t bytes = 0;           // of one rank's tensor
  quantization quant;
  bool may_quantize = false;     // the netlist allows `auto` to
  bool is_chained = false;       // the DMA engine does the steps
  bool is_acknowledged = false;  // a message is known to have arrived before its counter is written
  bool has_memory_tile = false;  // broadcasts on a mesh begin there
  double payload_rate = 0;       // bytes per second that each rank can send; 0: not known
  // In which the devices of switches have reduced; nullptr: those of one switch, the ranks at its
  // ports in turn.
  std::shared_ptr<const reduction_order> order;

  bool adds() const {
    return collective == BOOT_ALLREDUCE || collective == BOOT_REDUCE ||
           collective == BOOT_REDUCE_SCATTER;
  }
};

enum class rank_rule { any, tiles_of_a_mesh };

// What bounds the bytes that hardware in the network has under way (hardware_window.hpp).
enum class window_rule {
  none,
  buffers_of_trees,   // ranks push no further ahead than aggregators have room
  wave_tables,        // in-switch accelerators have an entry for each wave
  multimem_requests,  // multimem units have so many packets without an answer
};

struct collective_algorithm {
  std::string name;          // in netlists and results
  std::uint32_t number = 0;  // boot_job.algorithm
  std::string meaning;       // of the table of reference
  std::vector<boot_collective> collectives;
  std::vector<dtype> types = {dtype::fp16, dtype::bf16,  dtype::fp32,
                              dtype::fp64, dtype::int32, dtype::fp8};
  std::vector<reduce_op> ops = {reduce_op::sum,     reduce_op::min,    reduce_op::max,
                                reduce_op::bit_and, reduce_op::bit_or, reduce_op::bit_xor};
  bool moves_any_type = false;  // `types` are those that it adds; what it moves are words
  rank_rule ranks = rank_rule::any;
  std::vector<std::string> needs;        // of each rank: rank_core::has
  std::string hardware;                  // what that is, for messages
  bool needs_setup = false;              // and a core that sets its jobs up
  std::vector<std::string> setup_needs;  // of that core: rank_core::has
  bool has_trees = false;                // the netlist may say how many (`trees`)
  bool needs_masks = false;              // tiles of a mesh whose sides are powers of two
  bool is_named = true;                  // netlists may ask for it
  bool has_fixed_root = false;           // rank 0, but for reductions
  bool keeps_operands = false;      // a reduction leaves the tensors of other ranks as they were
  bool needs_sides = false;         // of a torus: `sides` of the netlist
  bool needs_pods = false;          // ranks that share multicast regions
  bool needs_region = false;        // ranks that are the members of one multicast region
  bool needs_one_switch = false;    // ranks that are all at the same one
  std::vector<group_shape> groups;  // that it does; all ranks together always
  window_rule window = window_rule::none;
  bool has_streams = false;   // the netlist may say how many share the data (`streams`)
  bool is_quantized = false;  // ranks quantize before the start mark, dequantize behind the end

  // Why the hardware leaves such a job to software, in a word; "" where it does it. null: it does
  // all that it knows.
  std::string (*limit)(const collective_case& of) = nullptr;
  // Whether the steps of a collective are those of sw/collectives/steps.h, which a DMA engine may
  // do. null: none are.
  bool (*may_be_chained)(boot_collective collective) = nullptr;
  // Whether the messages of a collective may be lines (sw/drivers/line.h). null: none may.
  bool (*may_send_lines)(boot_collective collective) = nullptr;
  // Whether ranks must be a power of two, because each has a partner at every distance. null: no.
  bool (*pairs_all_ranks)(boot_collective collective) = nullptr;
  // Bytes of scratch memory of each rank.
  std::uint64_t (*scratch)(const boot_job& job, std::uint32_t ranks) = nullptr;
  // Bytes of a message; null: those of a ring (message_size.hpp).
  std::uint64_t (*message)(const collective_case& of, const link_directory& net) = nullptr;
  // All tensors added in the algorithm's order, of so many elements; null: it adds nothing.
  tensor_bytes (*reduced)(const collective_case& of, const rank_inputs& inputs,
                          std::size_t elements) = nullptr;
  // Chunk that a reduce-scatter leaves at the rank; null: that of its number.
  std::size_t (*own_chunk)(std::size_t ranks, std::size_t rank) = nullptr;
  // What crosses the links of the rank at a place of its group; null: nobody has counted.
  wire_load (*load)(const collective_case& of, std::uint64_t place) = nullptr;
  // Of a mesh instead: bytes of one rank's tensor per second that its links allow; 0: nobody has
  // counted.
  double (*ceiling)(const collective_case& of, const link_directory& net) = nullptr;
  // Of a mesh instead: whether copies that are under way at the same time may share a link in the
  // same direction. null: never.
  bool (*shares_links)(const collective_case& of) = nullptr;
  // Seconds by the literature's formula; null or 0: there is none.
  double (*law)(const collective_case& of, const link_directory& net) = nullptr;
  // Of hardware: the ways from rank to rank that it waits for besides the data. null: nobody knows.
  double (*ways)(const collective_case& of) = nullptr;
  double ways_in_pod = 0;  // the same within a pod
  // Of hardware that does the chunks of ranks one after the other: what the links of the busiest
  // rank would carry if it were busy in all turns. null: it works for all at the same time.
  wire_load (*turns)(const collective_case& of) = nullptr;
  // Of hardware that works in pods first and then between them: what the links of each rank carry,
  // to the switches of its pod and to those with aggregators.
  wire_load (*load_in_pod)(const collective_case& of) = nullptr;
  wire_load (*load_of_trees)(const collective_case& of) = nullptr;
  // What ranks send each other; null: nobody has written it down, or hardware does it. Empty: an
  // estimate would be that of another algorithm.
  std::vector<message_round> (*rounds)(const collective_case& of) = nullptr;
  // Messages are cut into pieces, so that ranks wait for one round while they send in another.
  bool overlaps_rounds = false;
  // What `auto` prefers where nobody knows the times: of those that can do a job the one with the
  // smallest. null or infinity: never, whatever the times are.
  double (*cost)(const collective_case& of) = nullptr;

  bool chains(boot_collective collective) const {
    return may_be_chained && may_be_chained(collective);
  }
  bool sends_lines(boot_collective collective) const {
    return may_send_lines && may_send_lines(collective);
  }
  bool does(boot_collective collective) const;
  bool is_software() const { return needs.empty() && !needs_setup; }  // ranks do it by themselves
  // Each rank needs such a device, or the core that sets its jobs up does.
  bool needs_of_ranks(const std::string& device) const;
  bool needs_of_setup(const std::string& device) const;
  bool knows(const collective_case& of) const;  // its type and operator
};

class algorithm_registry {
 public:
  static algorithm_registry& instance();
  void add(collective_algorithm algorithm);
  // By number.
  const std::vector<collective_algorithm>& all() const { return all_; }
  // nullptr where there is none.
  const collective_algorithm* find(const std::string& name) const;
  const collective_algorithm& of(std::uint32_t number) const;  // that of a job

 private:
  std::vector<collective_algorithm> all_;
};

// Ratio of bus bandwidth to algorithm bandwidth, by the usual convention of collective benchmarks:
// what each wire of an ideal network would carry for a byte of the tensor.
double bus_factor(boot_collective collective, double ranks);

// Of `may_be_chained`: all are.
inline bool chains_all(boot_collective) {
  return true;
}

// That of algorithms whose ranks send and receive as much, all the time.
wire_load load_of_full_wires(const collective_case& of, std::uint64_t place);

#define HEDDLE_REGISTER_ALGORITHM(identifier, ...)                     \
  [[maybe_unused]] static const bool identifier##_is_registered = [] { \
    ::heddle::algorithm_registry::instance().add(__VA_ARGS__);         \
    return true;                                                       \
  }()

}  // namespace heddle
