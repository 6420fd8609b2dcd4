// Monitors watch and change nothing: a whole collective gives the same results with them and
// without, byte for byte.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

std::string statistics_of_run(const std::string& options) {
  const scratch_folder folder;
  const std::string command =
      std::string(HEDDLE_PROGRAM) + " run " HEDDLE_NETLISTS "/ring_allreduce.yaml --quiet --out " +
      folder.file("out") + " --set workload.bytes='{from: 1 KiB, to: 256 KiB}' " + options +
      " > /dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  std::string text = folder.content("out/stats.json");
  REQUIRE_FALSE(text.empty());
  return text;
}

}  // namespace

TEST_CASE("a ring all-reduce takes the same time under monitors packet by packet") {
  CHECK(statistics_of_run("--set train=1") == statistics_of_run("--set train=1 --set monitors=on"));
}

TEST_CASE("a ring all-reduce takes the same time under monitors in trains") {
  CHECK(statistics_of_run("--set train=32") ==
        statistics_of_run("--set train=32 --set monitors=on"));
}

TEST_CASE("a ring that descriptors program takes the same time under monitors") {
  const std::string chained = "--set workload.algorithm=ring --set workload.steps=chain";
  CHECK(statistics_of_run(chained) == statistics_of_run(chained + " --set monitors=on"));
}
