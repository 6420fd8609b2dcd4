// Freedom from deadlock, exact data and order, under mixes of everything at once.
#include <catch2/catch.hpp>
#include <vector>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/unit/models/mesh/collective_mix.hpp"

using namespace heddle;

namespace {

mix_result run_mix(const mix_options& options) {
  return collective_mix(options).run();
}

void check(const std::vector<mix_options>& runs) {
  const auto results = forked_runs(runs, run_mix);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    INFO(runs[i].width << "x" << runs[i].height << ", buffers of " << runs[i].buffer << ", seed "
                       << runs[i].seed);
    INFO(results[i].waiting);
    CHECK(results[i].missing == 0);
    CHECK(results[i].wrong == 0);
    CHECK(results[i].out_of_order == 0);
    CHECK(results[i].unreleased == 0);
    CHECK(results[i].packets > runs[i].operations);
  }
}

}  // namespace

TEST_CASE("random mixes on small meshes are delivered whole, exact and in order") {
  std::vector<mix_options> runs;
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const std::uint64_t buffer : {1U, 2U, 4U}) {
      mix_options options;
      options.width = seed % 3 == 0 ? 8 : 4;
      options.height = seed % 3 == 1 ? 8 : 4;
      options.buffer = buffer;
      options.operations = 6000;
      options.seed = seed;
      runs.push_back(options);
    }
  check(runs);
}

TEST_CASE("random mixes on 16x16 with buffers of one flit") {
  mix_options options;
  options.width = options.height = 16;
  options.operations = 30000;
  check({options});
}

TEST_CASE("a million packets in random mixes", "[.][long]") {
  std::vector<mix_options> runs;
  for (const int size : {4, 8, 16})
    for (const std::uint64_t buffer : {1U, 3U}) {
      mix_options options;
      options.width = options.height = size;
      options.buffer = buffer;
      options.operations = 170'000;
      options.seed = 42;
      runs.push_back(options);
    }
  check(runs);
}
