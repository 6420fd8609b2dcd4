#include "platform/explain/word_causes.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

TEST_CASE("a word remembers its last writer") {
  word_causes writers;
  CHECK_FALSE(writers.find(0x100, 4));
  writers.note(0x100, 4, cause::start(0, 10));
  writers.note(0x104, 4, cause::start(0, 20));
  CHECK(writers.find(0x100, 4).when() == 10);
  CHECK(writers.find(0x104, 4).when() == 20);
  CHECK(writers.find(0x100, 8).when() == 20);  // the last of both halves
  writers.note(0x100, 8, cause::start(0, 30));
  CHECK(writers.find(0x104, 4).when() == 30);
  CHECK_FALSE(writers.find(0x108, 4));
}

TEST_CASE("many words are told apart") {
  constexpr std::uint64_t words = 5000;
  word_causes writers;
  for (std::uint64_t i = 0; i < words; ++i) writers.note(i * 4096, 4, cause::start(0, i + 1));
  for (std::uint64_t i = 0; i < words; ++i) REQUIRE(writers.find(i * 4096, 4).when() == i + 1);
}
