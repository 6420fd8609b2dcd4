#include "transactors/packetizer/train_departure.hpp"

#include <catch2/catch.hpp>

#include "platform/random/random_stream.hpp"

using namespace heddle;

TEST_CASE("packets of a train leave a queue evenly, the first one at once") {
  const train_departure train{100, 500, 4};
  CHECK(train.left(100) == 3);
  CHECK(train.left(199) == 3);
  CHECK(train.left(200) == 2);
  CHECK(train.left(300) == 1);
  CHECK(train.left(400) == 0);
  CHECK(train.left(1'000) == 0);
}

TEST_CASE("a single packet leaves nothing behind") {
  CHECK(train_departure().left(0) == 0);
  CHECK(train_departure{100, 500, 1}.left(100) == 0);
}

TEST_CASE("the instant of so many packets is the first with no more of them") {
  random_stream random(1, "train_departure");
  for (int i = 0; i < 10'000; ++i) {
    const std::uint32_t packets = 2 + random.below(4095);
    const fs_t begin = random.below(1'000'000);
    const train_departure train{begin, begin + packets + random.below(100'000'000), packets};
    const std::uint32_t wanted = random.below(packets - 1);
    const fs_t instant = train.instant_of(wanted);
    INFO(packets << " packets from " << begin << " to " << train.end << ", " << wanted);
    REQUIRE(train.left(instant) <= wanted);
    REQUIRE(train.left(instant - 1) > wanted);
  }
}
