// Whether a team of threads or one thread evaluates a clock domain, on machines made up for that.
#include "platform/time/team_choice.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <utility>

using namespace heddle;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t members_of_cycle = 1000;

// A machine on which a cycle takes as long as the test says.
class machine {
 public:
  using cost = std::function<std::chrono::nanoseconds()>;

  machine(cost together, cost alone) : together_(std::move(together)), alone_(std::move(alone)) {
    now_ = {};
  }

  // Returns how many of the cycles went together.
  int run(int cycles) {
    int sum = 0;
    choice_.begin();
    for (int i = 0; i < cycles; ++i) {
      const bool is_together = choice_.is_together();
      sum += is_together;
      const auto spent = is_together ? together_() : alone_();
      now_ += spent;
      (is_together ? spent_together : spent_alone) += spent;
      choice_.count(members_of_cycle);
    }
    choice_.end();
    return sum;
  }

  static void let_pass(std::chrono::nanoseconds time) { now_ += time; }

  std::chrono::nanoseconds spent_together{}, spent_alone{};

 private:
  static team_choice::clock::time_point read() { return now_; }
  inline static team_choice::clock::time_point now_;

  cost together_, alone_;
  team_choice choice_{&read};
};

machine::cost always(std::chrono::nanoseconds time) {
  return [time] { return time; };
}

}  // namespace

TEST_CASE("a team works where it is faster, and one thread is tried now and then") {
  machine near_processors(always(50us), always(90us));
  const int together = near_processors.run(100'000);
  CHECK(together > 95'000);
  CHECK(together < 99'000);
}

TEST_CASE("what a slow team costs where it is tried stays small") {
  for (const auto slow : {100us, 1000us, 20'000us}) {
    machine busy(always(slow), always(90us));
    busy.run(100);
    busy.spent_together = busy.spent_alone = {};
    busy.run(1'000'000);
    INFO("a cycle of the team takes " << slow.count() << " us");
    CHECK(busy.spent_together > 0us);
    CHECK(busy.spent_together < busy.spent_alone / 15);
  }
}

TEST_CASE("a team that is interrupted once goes on, and one that is slow from now on does not") {
  int interruptions = 0;
  auto cost = 50us;
  machine changing(
      [&] {
        if (interruptions == 0) return cost;
        --interruptions;
        return 10 * cost;
      },
      always(90us));
  changing.run(1000);
  interruptions = 1;
  CHECK(changing.run(100) >= 80);
  cost = 400us;
  changing.run(200);
  CHECK(changing.run(200) < 20);
  cost = 50us;  // the others are gone
  changing.run(4000);
  CHECK(changing.run(1000) > 900);
}

TEST_CASE("time between cycles that do not follow each other is nobody's") {
  machine calm(always(50us), always(90us));
  int together = 0;
  for (int i = 0; i < 5000; ++i) {
    together += calm.run(2);
    machine::let_pass(i % 2 == 0 ? 1us : 5000us);
  }
  CHECK(together > 9000);
}
