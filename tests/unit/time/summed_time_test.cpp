// Sums of times beyond 64 bits of femtoseconds, 18446.7 s.
#include <catch2/catch.hpp>

#include "platform/unit/statistic.hpp"

using namespace heddle;

namespace {

struct counters : statistic_set {
  summed_time wait{*this, "wait", "summed time for which packets waited"};
};

}  // namespace

TEST_CASE("times of many packets add up beyond what one of them can be") {
  counters of;
  for (int i = 0; i < 1000; ++i) of.wait += 100 * fs_per_s;
  CHECK(of.wait.si() == Approx(100'000));
  CHECK(of.wait.total() == Approx(1e20));
  CHECK(of.all().at(0)->si() == Approx(100'000));
  CHECK(std::string(unit_symbol(of.wait.what())) == "s");
}

TEST_CASE("sums of times are exact to the femtosecond at the edge of a word") {
  counters of;
  of.wait += fs_never;
  CHECK(of.wait.raw() == fs_never);
  CHECK(of.wait.total() == Approx(18446744073709551615.0));
  of.wait += 1;
  CHECK(of.wait.raw() == 0);
  CHECK(of.wait.total() == 18446744073709551616.0);
}

TEST_CASE("many cycles of a long period are a sum of times, too") {
  counters of;
  of.wait.raise_to(50'000'000, fs_per_ms);
  CHECK(of.wait.si() == Approx(50'000));
  of.wait.raise_to(50'000'001, fs_per_ms);
  CHECK(of.wait.si() == Approx(50'000.001));
}
