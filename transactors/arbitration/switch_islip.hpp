// iSLIP, one iteration, for the switch of an input-queued router: every output grants the first
// input at or after its grant pointer that has a packet for it, every input accepts the first
// output at or after its accept pointer. Both pointers move behind an accepted match and stay
// otherwise, which desynchronizes them under load (McKeown, 1999). An input has several channels;
// among those with a packet for the same output they take turns.
//
// Packets stay in turn for many cycles, so each output keeps the channels that contend for it, and
// a cycle says which of them are ready. With few ports nothing here branches but on the number of
// matches, which nobody can predict.
//
// Word has a bit for each channel (bit_word.hpp). Those of an input are side by side.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "transactors/arbitration/bit_word.hpp"
#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

template <class Word, int ports>
class switch_islip {
 public:
  // Input i has channels i * stride to i * stride + stride - 1. In a wide word they lie in one
  // part, so the stride divides 64.
  void set_stride(int stride) { stride_ = static_cast<pointer>(stride); }

  // The packet in turn of that channel, a bit, goes to the output.
  void join(const Word& channel, int output) { contenders_[output] |= channel; }
  void leave(const Word& channel, int output) { contenders_[output] &= ~channel; }
  const Word& contenders(int output) const { return contenders_[output]; }

  // The channels that pass, of those that are ready: one an input and one an output at most.
  // input_of(channel) is the input to which it belongs. Pointers stay where they are.
  template <class InputOf>
  Word match(const Word& ready, InputOf input_of) const {
    grants granted;
    for (int output = 0; output < ports; ++output) {
      const Word asking = contenders_[output] & ready;
      if constexpr (std::is_integral_v<Word>) {
        const bool is_idle = asking == 0;
        granted.add(input_of(round_robin(asking | is_idle, grant_from(output))), output, !is_idle);
      } else if (asking) {
        granted.add(input_of(round_robin(asking, grant_from(output))), output, true);
      }
    }
    Word passing{};
    while (!granted.empty()) {
      const int input = granted.lowest_input();
      const int output = round_robin(granted.take(input), accept_from_[input] % 64);
      passing |= word_bit<Word>(first_in_turn(of_input(contenders_[output] & ready, input), input));
    }
    return passing;
  }

  // Which of an input's channels comes first.
  int first_in_turn(const Word& channels, int input) const {
    return round_robin(channels, wrapped(offer_from_[input]));
  }
  Word of_input(const Word& channels, int input) const {
    if constexpr (std::is_integral_v<Word>)
      return channels & ((Word{1} << stride_) - 1) << input * stride_;
    else
      return channels.only(input * stride_, stride_);
  }

  // That channel has passed from the input to the output.
  void passed(int channel, int input, int output) {
    offer_from_[input] = static_cast<pointer>(channel + 1);
    accept_from_[input] = static_cast<std::uint8_t>(output + 1);
    grant_from_[output] = static_cast<std::uint8_t>(input + 1);
  }

 private:
  static constexpr int word_bits = 8 * static_cast<int>(sizeof(Word));
  using pointer = std::conditional_t<(word_bits > 64), std::uint16_t, std::uint8_t>;
  static int wrapped(int channel) { return channel % word_bits; }
  int grant_from(int output) const { return wrapped(grant_from_[output] * stride_); }

  // Which outputs grant each input.
  class few_grants {  // a byte an input
   public:
    void add(int input, int output, bool is_granted) {
      rows_ |= std::uint64_t{is_granted} << (input * 8 + output);
    }
    bool empty() const { return rows_ == 0; }
    int lowest_input() const { return __builtin_ctzll(rows_) / 8; }
    std::uint64_t take(int input) {
      const std::uint64_t row = rows_ >> input * 8 & 0xff;
      rows_ &= ~(std::uint64_t{0xff} << input * 8);
      return row;
    }

   private:
    std::uint64_t rows_ = 0;
  };
  class many_grants {
   public:
    void add(int input, int output, bool is_granted) {
      rows_[input] |= std::uint64_t{is_granted} << output;
      inputs_ |= std::uint64_t{is_granted} << input;
    }
    bool empty() const { return inputs_ == 0; }
    int lowest_input() const { return __builtin_ctzll(inputs_); }
    std::uint64_t take(int input) {
      inputs_ &= ~(std::uint64_t{1} << input);
      return rows_[input];
    }

   private:
    std::uint64_t inputs_ = 0;
    std::array<std::uint64_t, ports> rows_{};
  };
  static_assert(ports <= 64);
  using grants = std::conditional_t<(ports > 8), many_grants, few_grants>;

  std::array<Word, ports> contenders_{};  // by output
  // Round-robin pointers, each one behind what passed last. They wrap around when they are read:
  // fewer cycles need an arbitration than pass a flit.
  std::array<std::uint8_t, ports> grant_from_{};   // by output: an input
  std::array<pointer, ports> offer_from_{};        // by input: a channel
  std::array<std::uint8_t, ports> accept_from_{};  // by input: an output
  pointer stride_ = 0;
};

}  // namespace heddle
