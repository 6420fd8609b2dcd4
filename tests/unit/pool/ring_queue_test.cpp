#include "platform/pool/ring_queue.hpp"

#include <catch2/catch.hpp>

#include <deque>
#include <memory>
#include <random>

using namespace heddle;

TEST_CASE("a ring is first in, first out, however it has grown") {
  std::mt19937 random(1);
  ring_queue<unsigned> ours;
  std::deque<unsigned> reference;
  for (unsigned i = 0; i < 4000; ++i) {
    const bool grows = i / 500 % 2 == 0;
    if (reference.empty() || random() % 4 < (grows ? 3U : 1U)) {
      ours.push(i);
      reference.push_back(i);
    } else {
      REQUIRE(ours.pop() == reference.front());
      reference.pop_front();
    }
    REQUIRE(ours.size() == reference.size());
    REQUIRE(ours.empty() == reference.empty());
    if (!reference.empty()) REQUIRE(ours.front() == reference.front());
  }
}

TEST_CASE("a ring gives its items away") {
  ring_queue<std::shared_ptr<int>> ours;
  const auto item = std::make_shared<int>(1);
  ours.push(item);
  CHECK(item.use_count() == 2);
  ours.pop();
  CHECK(item.use_count() == 1);
}
