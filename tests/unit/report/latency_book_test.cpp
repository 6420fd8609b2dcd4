#include "platform/services/latency_book.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

using namespace heddle;

TEST_CASE("a histogram without latencies says nothing") {
  const latency_distribution none;
  CHECK(none.count() == 0);
  CHECK(none.least() == 0);
  CHECK(none.most() == 0);
  CHECK(none.percentile(0.5) == 0);
}

TEST_CASE("count, ends and mean are exact, also of trains") {
  latency_distribution some;
  for (fs_t each = 1; each <= 30; ++each) some.note(each, 2);
  CHECK(some.count() == 60);
  CHECK(some.least() == 1);
  CHECK(some.most() == 30);
  CHECK(some.mean() == 15.5);
  CHECK(some.percentile(0.5) == 15);
  CHECK(some.percentile(0.9) == 27);
  CHECK(some.percentile(1) == 30);
}

TEST_CASE("percentiles of any latencies are right within 1.6 %") {
  const int seed = GENERATE(range(1, 40));
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  std::vector<fs_t> all;
  latency_distribution histogram;
  std::uniform_int_distribution<int> octave(0, 62), times(1, 4);
  for (int i = 0; i < 200; ++i) {
    const fs_t latency = random() >> octave(random);
    const int count = times(random);
    histogram.note(latency, static_cast<std::uint32_t>(count));
    all.insert(all.end(), static_cast<std::size_t>(count), latency);
  }
  std::sort(all.begin(), all.end());
  for (const double share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(all.size())));
    const fs_t exact = all[std::max<std::size_t>(1, rank) - 1];
    const fs_t told = histogram.percentile(share);
    INFO(share << ": " << exact << " told as " << told);
    CHECK(std::abs(static_cast<double>(told) - static_cast<double>(exact)) <=
          static_cast<double>(exact) / 63);
  }
  std::uint64_t counted = 0;
  histogram.for_each([&](fs_t, std::uint64_t count) { counted += count; });
  CHECK(counted == all.size());
}
