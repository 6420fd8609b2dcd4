// Data is right under adversity: random systems, down to one packet of everything, finish with
// exit 0 and the bits of the golden result.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "tests/system/random_configuration.hpp"

using namespace heddle;

namespace {

constexpr unsigned seconds = 60;  // far longer than any of them takes
const std::string netlist = "yaml/ring_allreduce.yaml";

bool fails(const random_configuration& configuration) {
  return !heddle_run(project_file(netlist), configuration.as_settings(), {}, seconds).is_verified();
}

void check(std::uint64_t first_seed, std::uint64_t count) {
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const random_configuration configuration(seed);
    const heddle_run run(project_file(netlist), configuration.as_settings(), {}, seconds);
    if (run.is_verified()) continue;
    const heddle_run smallest(project_file(netlist), shrink(configuration, &fails).as_settings());
    FAIL("seed " << seed << ": " << run.report() << "\nsmallest that fails:\n"
                 << smallest.report());
  }
}

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
  const char* const text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

}  // namespace

// In parts, for machines with many cores and for those with other work.
TEST_CASE("random systems give the right data: seeds 1 to 25") {
  check(1, 25);
}
TEST_CASE("random systems give the right data: seeds 26 to 50") {
  check(26, 25);
}
TEST_CASE("random systems give the right data: seeds 51 to 75") {
  check(51, 25);
}
TEST_CASE("random systems give the right data: seeds 1001 to 1025") {
  check(1'001, 25);
}
TEST_CASE("random systems give the right data: seeds 1026 to 1050") {
  check(1'026, 25);
}
TEST_CASE("random systems give the right data: seeds 1051 to 1075") {
  check(1'051, 25);
}

TEST_CASE("many random systems give the right data", "[.][long]") {
  check(from_environment("HEDDLE_ADVERSITY_SEED", 100'000),
        from_environment("HEDDLE_ADVERSITY_RUNS", 2'000));
}
