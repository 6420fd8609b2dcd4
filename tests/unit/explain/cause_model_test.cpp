// Causes against chains that are kept the plain way, each with steps of its own: blocks that
// several chains share are not to be seen.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "platform/explain/cause.hpp"

using namespace heddle;

namespace {

struct plain_step {
  category what;
  site_id where;
  fs_t when;
};

class plain_chain {
 public:
  plain_chain() = default;
  plain_chain(site_id where, fs_t when) : steps_{{category::synchronization, where, when}} {}

  const std::vector<plain_step>& steps() const { return steps_; }
  bool empty() const { return steps_.empty(); }
  fs_t when() const { return steps_.empty() ? 0 : steps_.back().when; }

  void then(category what, site_id where, fs_t when) {
    if (!empty() && when > this->when()) mark(what, where, when);
  }
  void mark(category what, site_id where, fs_t when) {
    if (empty()) return;
    when = std::max(when, this->when());
    if (is_like(steps_.size() - 1, what, where)) steps_.pop_back();
    steps_.push_back({what, where, when});
  }
  void then_in_turns(category first, fs_t between, category second, site_id where, fs_t when) {
    if (empty()) return;
    const std::size_t last = steps_.size() - 1;
    if (is_like(last, second, where) && is_like(last - 1, first, where)) {
      const fs_t added = between > this->when() ? between - this->when() : 0;
      const fs_t end_of_first = steps_[last - 1].when + added;
      steps_.resize(last - 1);
      then(first, where, end_of_first);
    } else {
      then(first, where, between);
    }
    then(second, where, when);
  }
  void cut(fs_t when) {
    if (this->when() <= when) return;
    std::size_t ended = steps_.size() - 1;
    while (ended > 0 && steps_[ended - 1].when >= when) --ended;
    if (ended == 0) return;
    steps_.resize(ended + 1);
    steps_.back().when = when;
  }
  plain_chain back_to(category what, site_id where) const {
    plain_chain earlier = *this;
    while (!earlier.empty()) {
      const plain_step& last = earlier.steps_.back();
      if (last.what == what && last.where == where) break;
      earlier.steps_.pop_back();
    }
    return earlier;
  }

 private:
  bool is_like(std::size_t number, category what, site_id where) const {
    return number > 0 && steps_[number].what == what && steps_[number].where == where;
  }

  std::vector<plain_step> steps_;
};

bool are_alike(const cause& ours, const plain_chain& plain) {
  step each = ours.latest();
  for (auto expected = plain.steps().rbegin(); expected != plain.steps().rend(); ++expected) {
    if (!each || each.what() != expected->what || each.where() != expected->where) return false;
    if (each.when() != expected->when) return false;
    each = each.before();
  }
  return !each;
}

struct both {
  cause ours;
  plain_chain plain;
};

}  // namespace

TEST_CASE("whatever chains have in common, each has its own steps") {
  std::mt19937 random(GENERATE(1U, 2U, 3U, 4U));
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  const auto some_category = [&] { return static_cast<category>(below(3)); };
  std::array<both, 6> chains;
  for (int round = 0; round < 4000; ++round) {
    both& of = chains[below(6)];
    const both& other = chains[below(6)];
    const category what = some_category();
    const site_id where = below(2);
    const fs_t when = of.plain.when() + below(5);
    switch (below(9)) {
      case 0:
        if (below(20) == 0) of = {cause::start(where, when), plain_chain(where, when)};
        break;
      case 1:
        of = both(other);
        break;
      case 2:
        of.ours.join(other.ours);
        if (!other.plain.empty() && (of.plain.empty() || other.plain.when() > of.plain.when()))
          of.plain = plain_chain(other.plain);
        break;
      case 3:
        of.ours.mark(what, where, when);
        of.plain.mark(what, where, when);
        break;
      case 4: {
        const fs_t between = of.plain.when() + below(3);
        of.ours.then_in_turns(category::queueing, between, category::firmware, where, when + 2);
        of.plain.then_in_turns(category::queueing, between, category::firmware, where, when + 2);
        break;
      }
      case 5: {
        const fs_t earlier = of.plain.when() - std::min<fs_t>(of.plain.when(), below(6));
        of.ours.cut(earlier);
        of.plain.cut(earlier);
        break;
      }
      case 6:
        if (below(4) != 0) break;
        of = {other.ours.back_to(what, where), other.plain.back_to(what, where)};
        break;
      default:
        of.ours.then(what, where, when);
        of.plain.then(what, where, when);
    }
    REQUIRE(are_alike(of.ours, of.plain));
  }
  for (const both& each : chains) CHECK(are_alike(each.ours, each.plain));
}
