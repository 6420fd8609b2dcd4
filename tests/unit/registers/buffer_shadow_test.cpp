// What a memory knows of its buffers.
#include "platform/buffers/buffer_shadow.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <string>

using namespace heddle;

namespace {

const std::string dma = "dma", vector = "vector";

buffer_claim claim_of(const std::string& engine, buffer_use use, std::uint64_t first,
                      std::uint64_t last, std::uint64_t work = 0) {
  buffer_claim made;
  made.engine = &engine;
  made.use = use;
  made.first = first;
  made.last = last;
  made.work = work;
  return made;
}

}  // namespace

TEST_CASE("words count as written in every page and across groups") {
  written_words words;
  CHECK(!words.holds(0, 1));
  words.add(0x10004, 2);
  CHECK(words.holds(0x10000, 8));
  CHECK(!words.holds(0x10000, 9));
  CHECK(!words.holds(0xfff8, 16));
  words.add(0xffff, 1);
  CHECK(words.holds(0xfff8, 16));
  words.add(0x20000, 0x30000);
  CHECK(words.holds(0x20000, 0x30000));
  CHECK(!words.holds(0x1fff8, 16));
  CHECK(!words.holds(0x4fff8, 16));
  CHECK(words.holds(0x99999, 0));
}

TEST_CASE("pages written in parts are known as those written at once, at any address") {
  for (const std::uint64_t page : {0x3000ULL, 0x7f'ffff'f000ULL}) {
    written_words words;
    words.add(page + 0x808, 0x7f8);
    words.add(page, 0x808);
    CHECK(words.holds(page, 0x1000));
    CHECK(!words.holds(page - 8, 16));
    CHECK(!words.holds(page, 0x1008));
    words.add(page + 0x1000, 0x1000);
    CHECK(words.holds(page, 0x2000));
  }
}

TEST_CASE("written words are those of a set") {
  const auto seed = GENERATE(range(0U, 8U));
  std::mt19937 random(seed);
  written_words words;
  std::set<std::uint64_t> known;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t most = i % 8 == 0 ? 150000 : i % 7 == 0 ? 9000 : 40;  // some fill pages
    const std::uint64_t first = random() % 200000, bytes = 1 + random() % most;
    if (i % 2 == 0) {
      words.add(first, bytes);
      for (std::uint64_t word = first / 8; word <= (first + bytes - 1) / 8; ++word)
        known.insert(word);
      continue;
    }
    bool is_all = true;
    for (std::uint64_t word = first / 8; word <= (first + bytes - 1) / 8; ++word)
      is_all = is_all && known.count(word) > 0;
    CHECK(words.holds(first, bytes) == is_all);
  }
}

TEST_CASE("what an engine reads may be read, what it writes may not be touched") {
  buffer_shadow shadow;
  shadow.take(claim_of(dma, buffer_use::source, 100, 199));
  shadow.take(claim_of(dma, buffer_use::destination, 300, 399));
  CHECK(!shadow.find(100, 8, false));
  CHECK(shadow.find(199, 8, true));
  CHECK(!shadow.find(200, 8, true));
  CHECK(shadow.find(296, 8, false));
  CHECK(!shadow.find(292, 8, true));
  CHECK(!shadow.find(300, 8, true, &dma));
  CHECK(shadow.find(300, 8, true, &vector));
}

TEST_CASE("buffers are given back with their work") {
  buffer_shadow shadow;
  shadow.take(claim_of(dma, buffer_use::source, 0, 7, buffer_claim::work_of(2, 5)));
  shadow.take(claim_of(dma, buffer_use::source, 8, 15, buffer_claim::work_of(3, 5)));
  shadow.take(claim_of(vector, buffer_use::source, 16, 23, buffer_claim::work_of(2, 5)));
  shadow.release(dma, buffer_claim::work_of(2, 0), buffer_claim::work_of(2, UINT32_MAX));
  CHECK(!shadow.find(0, 8, true));
  CHECK(shadow.find(8, 8, true));
  CHECK(shadow.find(16, 8, true));
}

TEST_CASE("an entry of a ring is fresh until it is completed, and again when it is written") {
  buffer_shadow shadow;
  shadow.note_write(0x100, 32);
  shadow.add_ring(0x100, 4, 32);
  CHECK(shadow.is_fresh(0x100));
  CHECK(!shadow.is_fresh(0x120));
  shadow.note_write(0x13c, 8);
  CHECK(shadow.is_fresh(0x120));
  CHECK(shadow.is_fresh(0x140));
  shadow.complete(0x120);
  CHECK(!shadow.is_fresh(0x120));
  shadow.add_ring(0x100, 4, 32);  // the same ring keeps what is known
  CHECK(!shadow.is_fresh(0x120));
  shadow.note_write(0x80, 0x200);
  CHECK(shadow.is_fresh(0x160));
  CHECK(shadow.is_fresh(0x400));  // outside of rings
  shadow.complete(0x160);
  CHECK(!shadow.is_fresh(0x160));
  shadow.note_direct(0x0, 0xfff);
  CHECK(shadow.is_fresh(0x160));
}
