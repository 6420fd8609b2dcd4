#include "platform/text/suggest.hpp"

#include <catch2/catch.hpp>

using heddle::did_you_mean;
using heddle::edit_distance;

TEST_CASE("edit distance counts inserts, deletes, replacements and swaps", "[suggest]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("bandwith", "bandwidth") == 1);
  CHECK(edit_distance("latnecy", "latency") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest candidate is suggested", "[suggest]") {
  const std::vector<std::string> keys{"latency", "bandwidth", "between"};
  CHECK(did_you_mean("bandwith", keys) == " (did you mean 'bandwidth'?)");
  CHECK(did_you_mean("Latency", keys) == " (did you mean 'latency'?)");
  CHECK(did_you_mean("firmware", keys).empty());
  CHECK(did_you_mean("", keys).empty());
  CHECK(did_you_mean("x", {"y"}).empty());
}

TEST_CASE("a difference in case alone is the nearest", "[suggest]") {
  CHECK(did_you_mean("GPUS", {"gpu", "gpus"}) == " (did you mean 'gpus'?)");
  CHECK(did_you_mean("gpUs", {"gpuz", "gpus"}) == " (did you mean 'gpus'?)");
}

TEST_CASE("very long words are not compared", "[suggest]") {
  const std::string word(100'000, 'a');
  CHECK(did_you_mean(word, {word + "b"}).empty());
}
