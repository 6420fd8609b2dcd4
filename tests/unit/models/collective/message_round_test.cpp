// What ranks send each other in the rounds of algorithms, that times are estimated from.
#include "models/workloads/collective/message_round.hpp"

#include <catch2/catch.hpp>

#include "models/workloads/collective/algorithm.hpp"

using namespace heddle;

namespace {

std::vector<message_round> rounds_of(const char* algorithm, boot_collective collective,
                                     std::uint64_t ranks, std::uint64_t root = 0) {
  collective_case of;
  of.collective = collective;
  of.ranks = ranks;
  of.root = root;
  return algorithm_registry::instance().find(algorithm)->rounds(of);
}

// "from>to ..."
std::string ways_of(const message_round& round) {
  std::string text;
  for (const rank_message& each : round.messages)
    text += (text.empty() ? "" : " ") + std::to_string(each.from) + ">" + std::to_string(each.to);
  return text;
}

}  // namespace

TEST_CASE("in a round to all, ranks send over the same distance in the same turn") {
  const message_round round = round_to_all(3, 1, 0.5);
  CHECK(ways_of(round) == "0>1 1>2 2>0 0>2 1>0 2>1");
  CHECK(round.of_rank == 2);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(round.messages[i].turn == i / 3);
    CHECK(round.messages[i].share == 0.5);
  }
}

TEST_CASE("a ring passes a broadcast on from the root, and a reduction on to it") {
  const std::vector<message_round> broadcast = rounds_of("ring", BOOT_BROADCAST, 4, 1);
  REQUIRE(broadcast.size() == 1);
  CHECK(ways_of(broadcast[0]) == "1>2 2>3 3>0");  // by sender: nobody sends to the root
  CHECK(broadcast[0].is_pipeline);
  CHECK_FALSE(broadcast[0].adds);
  CHECK(broadcast[0].times == 3);
  const std::vector<message_round> reduce = rounds_of("ring", BOOT_REDUCE, 4, 1);
  REQUIRE(reduce.size() == 1);
  CHECK(ways_of(reduce[0]) == "0>1 2>3 3>0");  // nor does the root
  CHECK(reduce[0].adds);
}

TEST_CASE("two trees pass half of the tensor each on, up and down in an all-reduce") {
  const std::vector<message_round> both = rounds_of("double_tree", BOOT_ALLREDUCE, 4);
  REQUIRE(both.size() == 2);
  CHECK(both[0].adds);
  CHECK_FALSE(both[1].adds);
  for (const message_round& each : both) {
    CHECK(each.is_pipeline);
    CHECK(each.of_rank == 2);
    CHECK(each.messages.size() == 2 * 3);  // an edge for each rank but the root of a tree
    for (const rank_message& message : each.messages) CHECK(message.share == 0.5);
  }
  for (std::size_t i = 0; i < both[0].messages.size(); ++i) {
    CHECK(both[0].messages[i].from == both[1].messages[i].to);
    CHECK(both[0].messages[i].to == both[1].messages[i].from);
  }
}

TEST_CASE("the trees of a broadcast begin at its root") {
  const std::vector<message_round> rounds = rounds_of("double_tree", BOOT_BROADCAST, 4, 2);
  REQUIRE(rounds.size() == 1);
  for (const rank_message& each : rounds[0].messages) CHECK(each.to != 2);
}
