// Jobs that collectives refuse before they touch the hardware, or that have nothing to do.
#include <catch2/catch.hpp>

#include "sw/collectives/algorithms.h"
#include "sw/collectives/collectives.h"
#include "sw/collectives/communicator.h"
#include "sw/collectives/mesh.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

mesh tile_of_two() {
  fresh_hardware();
  mesh tile{};
  tile.boot.ranks = tile.columns = tile.pitch = 2;
  tile.rows = 1;
  tile.has_masks = 1;
  return tile;
}

boot_job mesh_job(std::uint32_t algorithm, std::uint64_t elements, std::uint64_t slot_bytes) {
  boot_job job{};
  job.algorithm = algorithm;
  job.elements = elements;
  job.element_bytes = 8;
  job.slot_bytes = slot_bytes;
  return job;
}

}  // namespace

TEST_CASE("on a mesh, nothing to move is done at once") {
  for (const std::uint32_t algorithm :
       {BOOT_MESH_HW, BOOT_MESH_NAIVE, BOOT_MESH_SEQ, BOOT_MESH_TREE}) {
    mesh tile = tile_of_two();
    const boot_job job = mesh_job(algorithm, 0, 64);
    CHECK(mesh_reduce(&tile, &job) == STATUS_OK);
    CHECK(mesh_broadcast(&tile, &job) == STATUS_OK);
    CHECK(hardware().writes.empty());
  }
}

TEST_CASE("on a mesh, batches of no bytes are refused") {
  mesh tile = tile_of_two();
  const boot_job in_turn = mesh_job(BOOT_MESH_SEQ, 16, 0),
                 by_tree = mesh_job(BOOT_MESH_TREE, 16, 0);
  CHECK(mesh_reduce(&tile, &in_turn) == STATUS_BAD_JOB);
  CHECK(mesh_reduce(&tile, &by_tree) == STATUS_BAD_JOB);
  CHECK(mesh_broadcast(&tile, &in_turn) == STATUS_BAD_JOB);
  CHECK(hardware().writes.empty());
}

TEST_CASE("an all-reduce over pods needs a multimem unit, and ranks in a pod") {
  fresh_hardware();
  communicator comm{};
  comm.boot.ranks = 4;
  comm.boot.multicast = 0x1000;
  comm.tree.place[TREE_RAIL] = {0x2000, 0x1000, 0x8000};
  boot_job job{};
  job.elements = 64;
  job.element_bytes = 2;
  job.slots = 2;
  CHECK(nvls_tree_allreduce(&comm, &job) == STATUS_UNSUPPORTED);
  comm.multimem.registers = 0x3000;
  job.slots = 0;
  CHECK(nvls_tree_allreduce(&comm, &job) == STATUS_BAD_JOB);
  CHECK(hardware().writes.empty());
  CHECK(hardware().additions.empty());
}

TEST_CASE("operands that are quantized to no bits or in no blocks are refused") {
  fresh_hardware();
  communicator comm{};
  boot_job job{};
  job.algorithm = BOOT_SCIN_INQ;
  job.elements = 64;
  job.element_bytes = 2;
  job.quant_bits = 8;
  CHECK(produce_operands(&comm, &job) == STATUS_BAD_JOB);
  job.quant_bits = 0;
  job.quant_block = 64;
  CHECK(produce_operands(&comm, &job) == STATUS_BAD_JOB);
  CHECK(hardware().writes.empty());
  CHECK(hardware().logs.size() == 2);
}
