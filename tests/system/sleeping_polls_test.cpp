// Among many cores each sleeps through its polls, except where a log of accesses wants to see them:
// both runs have the same times and counters, of every core, bus, memory and wire.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

TEST_CASE("cores that sleep through polls leave the results of cores that poll") {
  for (const char* algorithm : {"ring", "direct"}) {
    const settings values = {{"params.gpus", "66"},
                             {"params.planes", "2"},
                             {"train", "1"},
                             {"workload.algorithm", algorithm},
                             {"workload.bytes", "[8 KiB, 100002 B]"},
                             {"workload.explain", "off"}};
    const heddle_run asleep(project_file("yaml/ring_allreduce.yaml"), values, {"--profile"});
    const heddle_run polling(project_file("yaml/ring_allreduce.yaml"), values,
                             {"--mmio-log", "accesses.csv", "--profile"});
    INFO(asleep.report() << polling.report());
    REQUIRE(asleep.is_verified());
    REQUIRE(polling.is_verified());
    CHECK(asleep.stats() == polling.stats());
    const std::string profile = asleep.folder().content("out/profile.json");
    CHECK(profile.find("access_s") != std::string::npos);
    CHECK((profile == polling.folder().content("out/profile.json")));
    CHECK((asleep.folder().content("out/links.csv") == polling.folder().content("out/links.csv")));
  }
}
