// The stand-in finds what it is there to find, and the firmware reports what the hardware reports.
#include <catch2/catch.hpp>

#include "platform/firmware/firmware_registry.hpp"
#include "sw/collectives/torus.h"
#include "sw/drivers/status.h"
#include "sw/hal/hal.h"
#include "tests/firmware/workload.hpp"

using namespace heddle::test;

namespace {

workload ring_of_many_pieces() {
  workload work;
  work.elements = 2000;
  return work;
}

int failures(const cluster_options& options, const workload& work) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    count += run_collectives(options, {work}, seed).empty() ? 0 : 1;
  }
  return count;
}

struct faulty_run {
  std::string failure;
  std::vector<int> codes;
  std::vector<std::string> logs;
};

faulty_run run_faulty(const cluster_options& options, const workload& work) {
  random_timing times(1);
  cluster under_test(options, times, heddle::firmware_registry::instance().find("collectives"));
  std::string failure = under_test.run({make_job(work, options.ranks, 1)});
  return {failure, under_test.exit_codes(), under_test.logs()};
}

bool has_log(const faulty_run& run, const std::string& part) {
  for (const std::string& each : run.logs) {
    if (each.find(part) != std::string::npos) return true;
  }
  return false;
}

cluster_options impatient() {
  cluster_options options;
  options.ranks = 4;
  options.timeout_ns = 1000000;
  return options;
}

}  // namespace

TEST_CASE("Without fences data is late and every algorithm fails") {
  cluster_options options;
  options.ranks = 4;
  workload work = ring_of_many_pieces();
  work.algorithm = GENERATE(BOOT_RING, BOOT_DIRECT, BOOT_HALVING_DOUBLING, BOOT_RECURSIVE_DOUBLING);
  CHECK(failures(options, work) == 0);
  options.common.ignores_fences = true;
  CHECK(failures(options, work) > 0);
}

TEST_CASE("Slots that are filled before they are empty are found out") {
  cluster_options options;
  options.ranks = 4;
  options.first_counter = 0;
  const workload work = ring_of_many_pieces();
  random_timing times(1);
  const auto app = [] { return heddle::firmware_registry::instance().find("collectives")(); };
  cluster under_test(options, times, app);
  under_test.forge_credits(1000);
  CHECK_FALSE(under_test.run({make_job(work, options.ranks, 1)}).empty());
}

TEST_CASE("A lost message ends in a time-out that names the flag") {
  cluster_options options = impatient();
  options.faulty_rank = 2;
  options.faults.lost_write = 5;
  const faulty_run run = run_faulty(options, ring_of_many_pieces());
  CHECK(run.codes[3] == STATUS_TIMEOUT);
  CHECK(has_log(run, "rank 3: no message: flag"));
  CHECK(has_log(run, "rank 3: timeout"));
}

TEST_CASE("A lost message without time-outs is a deadlock that names who waits") {
  cluster_options options = impatient();
  options.timeout_ns = 0;
  options.faulty_rank = 2;
  options.faults.lost_write = 5;
  const faulty_run run = run_faulty(options, ring_of_many_pieces());
  CHECK(run.failure.find("deadlock: ") == 0);
  CHECK(run.failure.find("rank 3 waits for address") != std::string::npos);
}

TEST_CASE("A stopped DMA channel is reported by its rank") {
  cluster_options options = impatient();
  options.faulty_rank = 1;
  options.faults.bad_descriptor = 7;
  const faulty_run run = run_faulty(options, ring_of_many_pieces());
  CHECK(run.codes[1] == STATUS_DMA_ERROR);
  CHECK(has_log(run, "rank 1: dma: stopped channel"));
  CHECK(has_log(run, "rank 1: dma: its error code 2"));
}

TEST_CASE("Jobs that make no sense are refused at every rank") {
  cluster_options options = impatient();
  boot_job job = make_job(workload{}, options.ranks, 1).job;
  int expected = STATUS_BAD_JOB;
  SECTION("no slots") {
    job.slots = 0;
  }
  SECTION("slots that hold no element") {
    job.slot_bytes = 1;
  }
  SECTION("elements of no size") {
    job.element_bytes = 0;
  }
  SECTION("a root that is no rank") {
    job.collective = BOOT_BROADCAST;
    job.root = 4;
  }
  SECTION("an unknown type") {
    job.dtype = BOOT_FP8 + 1;
  }
  SECTION("elements of no size, in lines") {
    job.element_bytes = 0;
    job.flags = BOOT_JOB_IN_PACKET;
  }
  SECTION("an unknown type, in lines") {
    job.dtype = BOOT_FP8 + 1;
    job.flags = BOOT_JOB_IN_PACKET;
  }
  SECTION("an unknown operator, in lines") {
    job.op = 3;
    job.flags = BOOT_JOB_IN_PACKET;
  }
  SECTION("a torus that has not as many places as there are ranks") {
    job.algorithm = BOOT_TORUS;
    job.sides = 3 | 1 << TORUS_SIDE_BITS;
    job.slots = 1;
  }
  SECTION("a torus with a side of no length") {
    job.algorithm = BOOT_TORUS;
    job.collective = BOOT_BROADCAST;
    job.sides = 4 | 0 << TORUS_SIDE_BITS | 1 << (2 * TORUS_SIDE_BITS);
  }
  SECTION("an unknown operator") {
    job.op = 3;
  }
  SECTION("an algorithm that the collective has not") {
    job.collective = BOOT_BROADCAST;
    job.algorithm = BOOT_DIRECT;
    expected = STATUS_UNSUPPORTED;
  }
  SECTION("an unknown collective") {
    job.collective = 99;
    expected = STATUS_UNSUPPORTED;
  }
  SECTION("halving and doubling to one root") {
    job.collective = BOOT_REDUCE;
    job.algorithm = BOOT_HALVING_DOUBLING;
    expected = STATUS_UNSUPPORTED;
  }
  random_timing times(1);
  cluster under_test(options, times, heddle::firmware_registry::instance().find("collectives"));
  cluster_job posted = make_job(workload{}, options.ranks, 1);
  posted.job = job;
  CHECK_FALSE(under_test.run({posted}).empty());
  for (const int code : under_test.exit_codes()) CHECK(code == expected);
}

TEST_CASE("A boot block that the hardware cannot satisfy is refused") {
  cluster_options options = impatient();
  SECTION("too many channels") {
    options.channels = 17;
  }
  SECTION("rings that are too short") {
    options.ring_entries = 3;
  }
  CHECK(run_faulty(options, workload{}).codes[0] == STATUS_BAD_BOOT);
}

TEST_CASE("Status codes have names") {
  CHECK(std::string(status_name(STATUS_OK)) == "ok");
  CHECK(std::string(status_name(STATUS_UNSUPPORTED)) == "unsupported");
}
