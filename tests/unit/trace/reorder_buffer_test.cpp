#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <tuple>

#include "platform/trace/reorder_buffer.hpp"
#include "platform/trace/trace_channel.hpp"

using namespace heddle;

namespace {

struct change {
  fs_t when;
  std::uint64_t bits;
  const trace_channel* channel;

  bool operator==(const change& other) const {
    return std::tie(when, bits, channel) == std::tie(other.when, other.bits, other.channel);
  }
};

std::vector<change> take_before(reorder_buffer& buffer, fs_t limit) {
  std::vector<change> taken;
  for (fs_t when = buffer.next_time(); when < limit; when = buffer.next_time())
    buffer.take_next([&](const pending_change& each) {
      taken.push_back({when, each.bits, each.channel});
    });
  return taken;
}

// The same by definition: what is due is taken out and sorted, stably.
std::vector<change> expected_before(std::vector<change>& waiting, fs_t limit) {
  const auto first_kept = std::stable_partition(
      waiting.begin(), waiting.end(), [&](const change& each) { return each.when < limit; });
  std::vector<change> due(waiting.begin(), first_kept);
  waiting.erase(waiting.begin(), first_kept);
  std::stable_sort(due.begin(), due.end(),
                   [](const change& a, const change& b) { return a.when < b.when; });
  return due;
}

}  // namespace

TEST_CASE("changes of one time come out in the order of their reports", "[trace]") {
  reorder_buffer buffer;
  CHECK(buffer.next_time() == fs_never);
  trace_channel a{}, b{};
  buffer.add(20, 1, a);
  buffer.add(10, 2, b);
  buffer.add(20, 3, b);
  buffer.add(20, 4, a);
  CHECK(buffer.next_time() == 10);
  CHECK(take_before(buffer, 20) == std::vector<change>{{10, 2, &b}});
  buffer.add(20, 5, b);
  CHECK(take_before(buffer, 21) ==
        std::vector<change>{{20, 1, &a}, {20, 3, &b}, {20, 4, &a}, {20, 5, &b}});
  CHECK(buffer.next_time() == fs_never);
}

TEST_CASE("however many times wait at once, changes come out sorted", "[trace]") {
  const auto seed = GENERATE(take(20, random(0u, 1u << 30)));
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  const fs_t reach = GENERATE(fs_t{3}, fs_t{200}, fs_t{100'000});  // times that wait: few to many
  std::vector<trace_channel> channels(1 + below(20));

  reorder_buffer buffer;
  std::vector<change> waiting;
  fs_t now = 0;
  for (int round = 0; round < 20; ++round) {
    for (std::uint64_t i = below(1'000); i > 0; --i) {
      trace_channel& channel = channels[below(channels.size())];
      const change added{now + below(reach), random(), &channel};
      buffer.add(added.when, added.bits, channel);
      waiting.push_back(added);
    }
    now += below(reach);
    REQUIRE(take_before(buffer, now) == expected_before(waiting, now));
  }
  CHECK(take_before(buffer, fs_never) == expected_before(waiting, fs_never));
}
