// What ranks send to partners at half their distance, a quarter, ...: by rank, and round by round.
#include "models/workloads/collective/halving_load.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

namespace {

collective_case case_of(boot_collective collective, std::uint64_t ranks) {
  collective_case of;
  of.collective = collective;
  of.ranks = ranks;
  return of;
}

}  // namespace

TEST_CASE("of a power of two, halving and doubling carry what a ring carries") {
  const collective_case of = case_of(BOOT_ALLREDUCE, 8);
  for (std::uint64_t place = 0; place < 8; ++place) {
    CHECK(load_of_halving(of, place).out == Approx(2 * 7.0 / 8));
    CHECK(load_of_halving(of, place).in == Approx(2 * 7.0 / 8));
    CHECK(load_of_doubling(of, place).out == 3);
  }
  const std::vector<message_round> rounds = rounds_of_halving(of);
  REQUIRE(rounds.size() == 6);
  const double shares[] = {0.5, 0.25, 0.125, 0.125, 0.25, 0.5};
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    REQUIRE(rounds[i].messages.size() == 8);
    for (const rank_message& each : rounds[i].messages) CHECK(each.share == Approx(shares[i]));
  }
  CHECK(rounds[0].messages[1].to == 5);
  CHECK(rounds[2].messages[1].to == 0);
}

// Ranks 0 and 1 share an id, and 2 and 3: of those, 1 and 3 take part.
TEST_CASE("beyond a power of two some ranks give their tensor to a neighbor and get the result") {
  const collective_case of = case_of(BOOT_ALLREDUCE, 6);
  CHECK(load_of_halving(of, 0).out == 1);
  CHECK(load_of_halving(of, 0).in == 1);
  CHECK(load_of_halving(of, 1).in == Approx(1 + 4.0 / 6 + 2.0 / 6 + 2.0 / 6 + 2.0 / 6));
  CHECK(load_of_halving(of, 1).out == Approx(1 + 2.0 / 6 + 2.0 / 6 + 2.0 / 6 + 4.0 / 6));
  const std::vector<message_round> rounds = rounds_of_halving(of);
  REQUIRE(rounds.size() == 6);
  REQUIRE(rounds.front().messages.size() == 2);
  CHECK(rounds.front().messages[1].from == 2);
  CHECK(rounds.front().messages[1].to == 3);
  CHECK(rounds.back().messages[1].from == 3);
  CHECK(rounds.back().messages[1].to == 2);
  CHECK(rounds[1].messages.size() == 4);
}

TEST_CASE("an all-gather folds chunks alone, a reduce-scatter brings chunks back") {
  CHECK(load_of_halving(case_of(BOOT_ALLGATHER, 6), 0).out == Approx(1.0 / 6));
  CHECK(load_of_halving(case_of(BOOT_ALLGATHER, 6), 0).in == 1);
  CHECK(load_of_halving(case_of(BOOT_REDUCE_SCATTER, 6), 0).out == 1);
  CHECK(load_of_halving(case_of(BOOT_REDUCE_SCATTER, 6), 0).in == Approx(1.0 / 6));
}

TEST_CASE("what ranks send others get, whatever their number") {
  for (const std::uint64_t ranks : {2, 3, 5, 12, 31, 64}) {
    const collective_case of = case_of(BOOT_ALLREDUCE, ranks);
    wire_load sum;
    double sent = 0;
    for (std::uint64_t place = 0; place < ranks; ++place) {
      sum.out += load_of_halving(of, place).out;
      sum.in += load_of_halving(of, place).in;
    }
    for (const message_round& round : rounds_of_halving(of))
      for (const rank_message& each : round.messages) sent += each.share;
    CHECK(sum.out == Approx(sum.in));
    CHECK(sum.out == Approx(sent));
  }
}
