#include "platform/pool/object_pool.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace heddle;

namespace {

struct numbered {
  std::uint32_t pool_index = 0;
  int content = 0;
};

int lives = 0;
struct counted {
  counted() { ++lives; }
  ~counted() { --lives; }
};

}  // namespace

TEST_CASE("objects of a pool are distinct, stay where they are and are found by their number") {
  object_pool<numbered, 4> pool;
  std::set<numbered*> taken;
  for (int i = 0; i < 10; ++i) {
    numbered& each = pool.take();
    each.content = i;
    CHECK(each.pool_index == static_cast<std::uint32_t>(i));
    CHECK(taken.insert(&each).second);
  }
  CHECK(pool.size() == 12);
  CHECK(pool.in_use() == 10);
  for (numbered* each : taken) CHECK(&pool.at(each->pool_index) == each);
}

TEST_CASE("the last object given back is taken first, as it was") {
  object_pool<numbered> pool;
  numbered& first = pool.take();
  numbered& second = pool.take();
  first.content = 1;
  second.content = 2;
  pool.give_back(first);
  pool.give_back(second);
  CHECK(pool.in_use() == 0);
  CHECK(&pool.take() == &second);
  CHECK(pool.take().content == 1);
}

TEST_CASE("objects live as long as their pool") {
  {
    object_pool<counted, 8> pool;
    pool.give_back(pool.take());
    CHECK(lives == 8);
  }
  CHECK(lives == 0);
}
