// Algorithms of a mesh of tiles; rank r is the tile in column r mod columns of row r / columns.
#include <algorithm>
#include <vector>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/golden_mesh.hpp"
#include "models/workloads/collective/mesh_laws.hpp"
#include "platform/number/power_of_two.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

constexpr std::uint64_t beat_bytes = 64;

// A collective on a mesh, in the terms of the literature's formulas (mesh_laws.hpp).
struct mesh_work {
  std::uint64_t columns, rows, beats;
};
using mesh_law = double (*)(const mesh_work& work);  // cycles

mesh_work work_of(const collective_case& of) {
  return {of.columns, of.ranks / of.columns,
          std::max<std::uint64_t>(1, (of.bytes + beat_bytes - 1) / beat_bytes)};
}

// 0 where the mesh has another shape than the source's: lines of a power of two, from two columns
// on; wide links of 64 B a cycle at 1 GHz; a memory tile to broadcast from.
double seconds_by(const collective_case& of, const link_directory& net, mesh_law broadcast,
                  mesh_law reduce) {
  constexpr double cycle_s = 1e-9, wide_link = 64e9;  // B/s
  const mesh_work work = work_of(of);
  const bool has_shape =
      work.columns > 1 && is_power_of_two(work.columns) && is_power_of_two(work.rows);
  if (!has_shape || of.root != 0 || of.bytes == 0 || net.widest() != wide_link) return 0;
  if (of.collective == BOOT_BROADCAST && of.has_memory_tile) return cycle_s * broadcast(work);
  return of.collective == BOOT_REDUCE ? cycle_s * reduce(work) : 0;
}

double widest(const collective_case& of, const link_directory& net) {
  return of.collective == BOOT_BROADCAST || of.collective == BOOT_REDUCE ? net.widest() : 0;
}

collective_algorithm on_mesh(const char* name, std::uint32_t number, const char* meaning) {
  collective_algorithm of;
  of.name = name;
  of.number = number;
  of.meaning = meaning;
  of.collectives = {BOOT_BARRIER, BOOT_BROADCAST, BOOT_REDUCE, BOOT_ALLREDUCE};
  of.ranks = rank_rule::tiles_of_a_mesh;
  of.groups = {group_shape::rows, group_shape::columns};
  of.needs = {"network_interface"};
  of.hardware = "a mesh of tiles";
  of.ceiling = &widest;
  return of;
}

// Of a beat, on the average over chunks that go to one tile of a line after the other: the tiles
// between its ends have three inputs.
double cycles_of_line(double tiles) {
  return tiles > 1 ? 2 - 2 / tiles : 0;
}

// The wide link brings a beat of 64 B a cycle to every tile. Several rows meet in routers of the
// first column that have three inputs and add two at a time: every other cycle (collective NoC
// 4.2.3).
//
// A reduce-scatter sends all data along the columns and a row's share along the rows; in an
// all-gather nobody gets its own chunk.
double ceiling_of_routers(const collective_case& of, const link_directory& net) {
  const auto ranks = static_cast<double>(of.ranks), columns = static_cast<double>(of.columns);
  const double rows = ranks / columns;
  const bool is_line = of.columns == 1 || of.ranks == of.columns;
  switch (of.collective) {
    case BOOT_REDUCE:
      return is_line ? net.widest() : net.widest() / 2;
    case BOOT_REDUCE_SCATTER:
      if (of.ranks == 1) return 0;
      return net.widest() / (cycles_of_line(rows) + cycles_of_line(columns) / rows);
    case BOOT_ALLGATHER:
      return of.ranks > 1 ? net.widest() * ranks / (ranks - 1) : 0;
    default:
      return widest(of, net);
  }
}

collective_algorithm hw() {
  collective_algorithm of =
      on_mesh("mesh_hw", BOOT_MESH_HW, "on a mesh: its routers multicast, and reduce");
  of.needs_masks = true;
  of.types = {dtype::fp64, dtype::fp32, dtype::fp16, dtype::fp8};
  of.moves_any_type = true;
  of.keeps_operands = true;
  of.collectives.insert(of.collectives.end(), {BOOT_REDUCE_SCATTER, BOOT_ALLGATHER});
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    if (what.collective == BOOT_REDUCE_SCATTER)
      return golden_mesh_reduce_scatter(what.type, what.op, inputs, elements, what.columns);
    return golden_mesh_reduce(what.type, what.op, inputs, elements, what.columns, what.root);
  };
  of.ceiling = &ceiling_of_routers;
  of.law = [](const collective_case& what, const link_directory& net) {
    return seconds_by(
        what, net,
        [](const mesh_work& work) {  // Eq 13
          return mesh_laws::multicast_hardware(work.columns + work.rows - 1, work.beats);
        },
        [](const mesh_work& work) { return mesh_laws::reduction_hardware(work.rows, work.beats); });
  };
  // One reduction waits for the other: with short chunks pairs of tiles are faster. Measured with
  // yaml/mesh_tiles.yaml.
  of.cost = [](const collective_case& what) {
    constexpr std::uint64_t reduced_bytes_from = 2048;  // of a chunk
    const bool is_short = what.bytes < reduced_bytes_from * what.ranks;
    return what.collective == BOOT_REDUCE_SCATTER && is_short ? 2.5 : 1.0;
  };
  return of;
}

// Ranks receive whole tensors, or batches of one, in two places.
std::uint64_t two_messages(const boot_job& job, bool is_cut) {
  if (job.collective != BOOT_REDUCE && job.collective != BOOT_ALLREDUCE) return 0;
  const std::uint64_t whole = round_up_to_64(job.elements * job.element_bytes);
  return 2 * (is_cut ? std::min(job.slot_bytes, whole) : whole);
}

collective_algorithm by_copies(const char* name, std::uint32_t number, const char* meaning) {
  collective_algorithm of = on_mesh(name, number, meaning);
  of.has_fixed_root = true;
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    return ranks > 1 ? two_messages(job, true) : 0;
  };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_mesh_tree_reduce(what.type, what.op, inputs, elements, what.columns, what.root);
  };
  return of;
}

collective_algorithm naive() {
  collective_algorithm of =
      by_copies("mesh_naive", BOOT_MESH_NAIVE, "on a mesh: one transfer after the other");
  of.collectives.insert(of.collectives.end(), {BOOT_REDUCE_SCATTER, BOOT_ALLGATHER, BOOT_ALLTOALL});
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    if (what.collective == BOOT_REDUCE_SCATTER)
      return golden_direct_allreduce(what.type, what.op, inputs, elements);
    return golden_mesh_tree_reduce(what.type, what.op, inputs, elements, what.columns, what.root);
  };
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    if (ranks < 2) return std::uint64_t{0};
    if (job.collective == BOOT_REDUCE_SCATTER) return ranks * receive_region_bytes(&job, ranks);
    if (job.collective == BOOT_ALLTOALL) return job.elements * job.element_bytes;
    return two_messages(job, false);
  };
  of.cost = [](const collective_case&) { return 3.0; };
  return of;
}

// The batch with which the literature's law for the algorithm is least: baselines are to be at
// their best without a search.
std::uint64_t best_multicast_batch(const mesh_work& work) {
  return beat_bytes * mesh_laws::best_batch_of_multicast(work.columns, work.rows, work.beats);
}

// Whether two tiles of a line that send to the next place at the same time share a link.
bool shares_links(std::size_t root, std::size_t length) {
  std::vector<bool> east(length), west(length);  // by the coordinate at the link's western end
  for (std::size_t place = 1; place < length; ++place) {
    const std::size_t from = mesh_coordinate(place, root, length);
    const std::size_t to = mesh_coordinate(place - 1, root, length);
    std::vector<bool>& taken = from < to ? east : west;
    for (std::size_t link = std::min(from, to); link < std::max(from, to); ++link) {
      if (taken[link]) return true;
      taken[link] = true;
    }
  }
  return false;
}

collective_algorithm seq() {
  collective_algorithm of =
      by_copies("mesh_seq", BOOT_MESH_SEQ, "on a mesh: from neighbor to neighbor, in batches");
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_mesh_line_reduce(what.type, what.op, inputs, elements, what.columns, what.root);
  };
  of.message = [](const collective_case& what, const link_directory&) {
    const mesh_work work = work_of(what);
    return what.collective == BOOT_BROADCAST
               ? best_multicast_batch(work)
               : beat_bytes * mesh_laws::best_batch_of_sequential_reduction(work.columns, work.rows,
                                                                            work.beats);
  };
  of.shares_links = [](const collective_case& what) {
    return what.adds() && (shares_links(what.root % what.columns, what.columns) ||
                           shares_links(what.root / what.columns, what.ranks / what.columns));
  };
  of.law = [](const collective_case& what, const link_directory& net) {
    return seconds_by(
        what, net,
        [](const mesh_work& work) {
          return mesh_laws::multicast_sequential(work.columns, work.rows, work.beats);
        },
        [](const mesh_work& work) {
          return mesh_laws::reduction_sequential(work.columns, work.rows, work.beats);
        });
  };
  return of;
}

bool pairs_all_ranks(boot_collective collective) {
  return collective == BOOT_REDUCE_SCATTER || collective == BOOT_ALLGATHER;
}

collective_algorithm tree() {
  collective_algorithm of = by_copies("mesh_tree", BOOT_MESH_TREE, "on a mesh: by pairs of tiles");
  of.collectives.insert(of.collectives.end(), {BOOT_REDUCE_SCATTER, BOOT_ALLGATHER});
  of.pairs_all_ranks = &pairs_all_ranks;
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    if (what.collective == BOOT_REDUCE_SCATTER)
      return golden_halving_doubling_allreduce(what.type, what.op, inputs, elements);
    return golden_mesh_tree_reduce(what.type, what.op, inputs, elements, what.columns, what.root);
  };
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    if (ranks < 2) return std::uint64_t{0};
    if (job.collective == BOOT_REDUCE_SCATTER)
      return halving_region(&job, ranks, static_cast<std::uint32_t>(__builtin_ctz(ranks)));
    return two_messages(job, true);
  };
  of.message = [](const collective_case& what, const link_directory&) {
    const mesh_work work = work_of(what);
    return what.collective == BOOT_BROADCAST
               ? best_multicast_batch(work)
               : beat_bytes * mesh_laws::best_batch_of_tree_reduction(work.beats);
  };
  of.law = [](const collective_case& what, const link_directory& net) {
    return seconds_by(
        what, net,
        [](const mesh_work& work) {
          return mesh_laws::multicast_tree(work.columns, work.rows, work.beats);
        },
        [](const mesh_work& work) {
          return mesh_laws::reduction_tree(work.columns, work.rows, work.beats);
        });
  };
  of.cost = [](const collective_case&) { return 2.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(mesh_hw, hw());
HEDDLE_REGISTER_ALGORITHM(mesh_naive, naive());
HEDDLE_REGISTER_ALGORITHM(mesh_seq, seq());
HEDDLE_REGISTER_ALGORITHM(mesh_tree, tree());

}  // namespace
}  // namespace heddle
