// Counters run freely through a whole boot, beyond 2^32.
#include <catch2/catch.hpp>

#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/collectives.h"
#include "sw/hal/hal.h"
#include "tests/firmware/workload.hpp"

using namespace heddle;
using namespace heddle::test;

namespace {

constexpr std::uint32_t just_before_wrap = 0xfffffffd;

template <std::size_t size>
void set_all(std::uint32_t (&counters)[size]) {
  for (std::uint32_t& each : counters) each = just_before_wrap;
}

// The app, as if it had run for long.
int aged_collectives() {
  communicator comm;
  int status = communicator_open(&comm);
  set_all(comm.ring.sent);
  set_all(comm.ring.received);
  set_all(comm.ring.granted);
  set_all(comm.ring.credited);
  comm.direct_jobs = just_before_wrap;
  comm.halving_jobs = just_before_wrap;
  comm.barrier_jobs = just_before_wrap;
  comm.point_to_point_messages = just_before_wrap;
  comm.multicast_arrivals = just_before_wrap;
  comm.tree_segments = just_before_wrap;
  comm.torus_messages = just_before_wrap;
  comm.lines_sent = just_before_wrap;
  comm.lines_received = just_before_wrap;
  for (;;) {
    const std::uint32_t number = hal_next_job();
    if (status != STATUS_OK || number == HAL_NO_JOB) return status;
    boot_job job;
    hal_read_block(&job, comm.boot.job, sizeof job);
    hal_mark(HAL_MARK_START, number);
    status = run_collective(&comm, &job);
    hal_mark(HAL_MARK_END, number);
  }
}

}  // namespace

TEST_CASE("Counters of messages, credits and descriptors may wrap") {
  cluster_options options;
  options.ranks = 4;
  options.ring_entries = GENERATE(16u, 5u);
  options.first_counter = just_before_wrap;
  options.common.first_count = just_before_wrap;
  workload work;
  work.collective = GENERATE(BOOT_ALLREDUCE, BOOT_ALLGATHER, BOOT_BROADCAST, BOOT_REDUCE,
                             BOOT_ALLTOALL, BOOT_BARRIER, BOOT_P2P_LATENCY, BOOT_P2P_BANDWIDTH);
  work.algorithm = GENERATE(BOOT_RING, BOOT_DIRECT, BOOT_HALVING_DOUBLING, BOOT_NVLS,
                            BOOT_RECURSIVE_DOUBLING, BOOT_DOUBLE_TREE, BOOT_PAIRWISE);
  work.flags = GENERATE(UINT32_C(0), BOOT_JOB_CHAINED, BOOT_JOB_IN_PACKET);
  const collective_algorithm& by = algorithm_registry::instance().of(work.algorithm);
  const bool is_done_by_all = work.collective == BOOT_BARRIER ||
                              work.collective == BOOT_P2P_LATENCY ||
                              work.collective == BOOT_P2P_BANDWIDTH;
  if (!by.does(work.collective) && !(is_done_by_all && work.algorithm == BOOT_RING)) return;
  if (work.flags == BOOT_JOB_IN_PACKET && work.algorithm != BOOT_RING) return;
  work.elements = 2000;
  std::vector<cluster_job> jobs;
  for (std::uint64_t i = 0; i < 6; ++i) jobs.push_back(make_job(work, options.ranks, i));
  random_timing times(7);
  cluster under_test(options, times, aged_collectives);
  INFO(work);
  const std::string failure = under_test.run(std::move(jobs));
  INFO(failure);
  CHECK(failure.empty());
}
