// Mean load and length of bursts, whatever both are; bursts of one packet change no draw.
#include "models/traffic/creation_process.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

namespace {

struct observed {
  double load, burst;  // packets a slot, and slots with a packet one behind the other
};

observed watch(double load, double burst) {
  constexpr int packets = 1'000'000;
  creation_process process(load, burst);
  random_stream random(3, "bursts");
  std::uint64_t last = process.next(random);
  int bursts = 1;
  for (int i = 1; i < packets; ++i) {
    const std::uint64_t slot = process.next(random);
    bursts += slot != last + 1;
    last = slot;
  }
  return {static_cast<double>(packets) / static_cast<double>(last + 1),
          static_cast<double>(packets) / bursts};
}

}  // namespace

TEST_CASE("bursts keep the load, and have the length that was asked for") {
  for (const double load : {0.01, 0.3, 0.9})
    for (const double burst : {1.0, 2.5, 40.0}) {
      INFO(load << ", " << burst);
      const observed seen = watch(load, burst);
      CHECK(seen.load == Approx(load).epsilon(0.03));
      // Two bursts that a silence of no slot parts look like one.
      const double no_silence = load / (load + burst * (1 - load));
      CHECK(seen.burst == Approx(burst / (1 - no_silence)).epsilon(0.03));
    }
}

TEST_CASE("a load of 0 creates nothing, and a full one in every slot") {
  random_stream random(1, "ends");
  CHECK(creation_process(0).next(random) == creation_process::never);
  CHECK(creation_process(0, 8).next(random) == creation_process::never);
  for (const double burst : {1.0, 8.0}) {
    creation_process full(1, burst);
    for (std::uint64_t slot = 0; slot < 100; ++slot) CHECK(full.next(random) == slot);
  }
}
