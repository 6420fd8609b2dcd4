// What an accelerator tells whoever checks results of the reductions that it was given.
#include <catch2/catch.hpp>

#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

staged_instruction reduction(int stream, std::uint32_t id, std::uint64_t offset) {
  staged_instruction i;
  i.stream = stream;
  i.id = id;
  i.offset = offset;
  i.source = i.destination = stream == 0 ? 0b0011 : 0b1100;
  return i;
}

std::vector<std::uint64_t> offsets_told(isa_bench& bench) {
  std::vector<std::uint64_t> offsets;
  for (const auto* source : bench.sim.service<reduction_directory>().sources)
    for (const reduction_group& each : source->reduction_groups())
      offsets.push_back(each.result_offset);
  return offsets;
}

}  // namespace

TEST_CASE("a job in one stream leaves what was told of a job in another stream") {
  using told = std::vector<std::uint64_t>;
  isa_bench_options options;
  options.members = 4;
  isa_bench bench(options);
  told of_both, of_next;
  bench.at(0, [&] {
    bench.set_stream(0, 0b0011);
    bench.set_stream(1, 0b1100);
    bench.push(reduction(0, 1, 4096));
    bench.push(reduction(1, 2, 8192));
    bench.push(reduction(0, 1, 4224));
    bench.arrive(0, 0b0011);
    bench.arrive(1, 0b1100);
    bench.wait_ns(10'000);
    of_both = offsets_told(bench);
    bench.push(reduction(0, 3, 12288));
    of_next = offsets_told(bench);
    for (int round = 0; round < 2; ++round) bench.arrive(0, 0b0011);
  });
  bench.run();
  CHECK(of_both == told{4096, 4224, 8192});
  CHECK(of_next == told{12288, 8192});
  CHECK(bench.completed(0) == 3);
  CHECK(bench.completed(1) == 1);
  CHECK(bench.failures().empty());
}
