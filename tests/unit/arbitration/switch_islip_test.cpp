#include "transactors/arbitration/switch_islip.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <vector>

#include "tests/unit/arbitration/naive_islip.hpp"

using namespace heddle;

namespace {

// A switch whose inputs have `stride` channels each. A cycle matches the channels that are ready
// and moves the pointers behind those that pass, as a router does.
template <class Word, int ports>
struct fast_switch {
  explicit fast_switch(int channels_each)
      : stride(channels_each), output_of(ports * channels_each) {
    matcher.set_stride(stride);
  }

  void join(int channel, int output) {
    output_of[channel] = output;
    matcher.join(word_bit<Word>(channel), output);
  }
  void leave(int channel) {
    matcher.leave(word_bit<Word>(channel), *output_of[channel]);
    output_of[channel].reset();
  }

  // The channels that pass, in ascending order.
  std::vector<int> match(const std::vector<bool>& is_ready) {
    Word ready{};
    const int channel_count = static_cast<int>(is_ready.size());
    for (int c = 0; c < channel_count; ++c)
      if (is_ready[c]) ready |= word_bit<Word>(c);
    const Word passing = matcher.match(ready, [this](int channel) { return channel / stride; });
    std::vector<int> channels;
    for (int c = 0; c < channel_count; ++c)
      if (passing & word_bit<Word>(c)) {
        channels.push_back(c);
        matcher.passed(c, c / stride, *output_of[c]);
      }
    return channels;
  }

  int stride;
  switch_islip<Word, ports> matcher;
  std::vector<std::optional<int>> output_of;  // by channel: where its packet goes
};

// The same, written down plainly on a matrix of requests.
struct plain_switch {
  plain_switch(int port_count, int channels_each)
      : ports(port_count), stride(channels_each), matcher(ports, ports) {}

  std::vector<int> match(const std::vector<bool>& is_ready,
                         const std::vector<std::optional<int>>& output_of) {
    for (int c = 0; c < ports * stride; ++c)
      if (is_ready[c] && output_of[c]) matcher.asks[c / stride][*output_of[c]] = true;
    std::vector<int> channels;
    for (const auto& [input, output] : matcher.match())
      for (int i = 0; i < stride; ++i) {
        const int c = input * stride + (turn[input] + i) % stride;
        if (!is_ready[c] || output_of[c] != output) continue;
        turn[input] = (c + 1) % stride;
        channels.push_back(c);
        break;
      }
    return channels;
  }

  int ports, stride;
  naive_islip matcher;
  std::vector<int> turn = std::vector<int>(ports);  // by input: the channel that comes first
};

template <class Word, int ports>
void check_like_the_plain_one(int used_ports, int stride, double load) {
  const int channels = used_ports * stride;
  std::mt19937 random(static_cast<unsigned>(channels));
  std::bernoulli_distribution comes(load), is_ready(0.7), was_last(0.4);
  std::uniform_int_distribution<int> any_output(0, used_ports - 1);
  fast_switch<Word, ports> fast(stride);
  plain_switch plain(used_ports, stride);
  for (int cycle = 0; cycle < 300; ++cycle) {
    std::vector<bool> ready(channels);
    for (int c = 0; c < channels; ++c) {
      if (!fast.output_of[c] && comes(random)) fast.join(c, any_output(random));
      ready[c] = is_ready(random);
    }
    const std::vector<int> expected = plain.match(ready, fast.output_of);
    REQUIRE(fast.match(ready) == expected);
    for (int channel : expected)
      if (was_last(random)) fast.leave(channel);
  }
}

}  // namespace

TEST_CASE("of channels that are not ready, or have no packet, none passes") {
  fast_switch<std::uint64_t, 5> s(2);
  const std::vector<bool> all(10, true);
  CHECK(s.match(all).empty());
  s.join(3, 4);
  CHECK(s.match(std::vector<bool>(10, false)).empty());
  CHECK(s.match(all) == std::vector<int>{3});
  CHECK(s.match(all) == std::vector<int>{3});
  s.leave(3);
  CHECK(s.match(all).empty());
}

TEST_CASE("pointers move behind an accepted match only") {
  // Both outputs grant input 0, who accepts output 0; output 1 keeps its pointer.
  fast_switch<std::uint64_t, 2> s(2);
  s.join(0, 0);
  s.join(1, 1);
  s.join(2, 0);
  s.join(3, 1);
  const std::vector<bool> all(4, true);
  CHECK(s.match(all) == std::vector<int>{0});
  CHECK(s.match(all) == std::vector<int>{1, 2});
}

TEST_CASE("the channels of an input that go to one output take turns") {
  fast_switch<std::uint64_t, 3> s(4);
  for (int channel : {4, 6, 7}) s.join(channel, 2);
  const std::vector<bool> all(12, true);
  for (int channel : {4, 6, 7, 4}) CHECK(s.match(all) == std::vector<int>{channel});
}

TEST_CASE("it matches like the plain formulation") {
  const double load = GENERATE(0.05, 0.3, 1.0);
  check_like_the_plain_one<std::uint64_t, 2>(2, 1, load);
  check_like_the_plain_one<std::uint64_t, 5>(5, 1, load);
  check_like_the_plain_one<std::uint64_t, 5>(5, 4, load);
  check_like_the_plain_one<std::uint64_t, 8>(8, 8, load);
  check_like_the_plain_one<std::uint64_t, 8>(6, 10, load);
  check_like_the_plain_one<std::uint64_t, 64>(64, 1, load);
  check_like_the_plain_one<std::uint64_t, 64>(21, 3, load);
  check_like_the_plain_one<wide_word<4>, 64>(33, 4, load);
  check_like_the_plain_one<wide_word<16>, 64>(64, 16, load);
}

TEST_CASE("under full load the pointers spread until every port is matched in every cycle") {
  constexpr int ports = 16;
  fast_switch<wide_word<4>, ports> s(ports);
  for (int c = 0; c < ports * ports; ++c) s.join(c, c % ports);
  const std::vector<bool> all(ports * ports, true);
  std::size_t matched = 0;
  for (int cycle = 0; cycle < 3 * ports; ++cycle) matched = s.match(all).size();
  CHECK(matched == ports);
}

TEST_CASE("a wide word without its lowest bit keeps the others, and an empty one stays empty") {
  using wide = wide_word<16>;
  const wide two = word_bit<wide>(70) | word_bit<wide>(1023);
  CHECK(lowest(without_lowest(two)) == 1023);
  CHECK_FALSE(without_lowest(without_lowest(two)));
  CHECK_FALSE(without_lowest(wide()));
}
