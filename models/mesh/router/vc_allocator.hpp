// iSLIP, one iteration, for the virtual channels of one router: the arbitration of vc_islip.hpp for
// up to 64 input channels in all, so that a set of them is one word. Requests stay until they are
// granted.
#pragma once

#include <array>
#include <cstdint>

#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

class vc_allocator {
 public:
  static constexpr int most_inputs = 64;
  static constexpr int most_outputs = 8;
  static constexpr int most_vcs = 16;

  void request(int input, int output) {
    requests_[output] |= std::uint64_t{1} << input;
    wanted_ |= 1U << output;
  }
  bool has_requests() const { return wanted_ != 0; }

  // free[output]: mask of the VCs that may be taken; a taken one is removed. Calls
  // accept(input, output, vc) for every match. Returns whether there was one.
  template <class Accept>
  bool match(std::array<std::uint16_t, most_outputs>& free, Accept accept) {
    bool is_any = false;
    for (std::uint32_t left = wanted_; left; left &= left - 1) {
      const int output = __builtin_ctz(left);
      if (free[output] == 0) continue;
      is_any = true;
      if ((requests_[output] & (requests_[output] - 1)) == 0) {  // alone: it is granted them all
        const int input = __builtin_ctzll(requests_[output]);
        const int vc = take(input, output, free[output]);
        free[output] = static_cast<std::uint16_t>(free[output] & ~(1U << vc));
        requests_[output] = 0;
        wanted_ &= ~(1U << output);
        accept(input, output, vc);
        continue;
      }
      std::uint64_t granted = grant(output, free[output]);
      for (; granted; granted &= granted - 1) {
        const int input = __builtin_ctzll(granted);
        const int vc = take(input, output, offered_[input]);
        offered_[input] = 0;
        free[output] = static_cast<std::uint16_t>(free[output] & ~(1U << vc));
        requests_[output] &= ~(std::uint64_t{1} << input);
        accept(input, output, vc);
      }
      if (requests_[output] == 0) wanted_ &= ~(1U << output);
    }
    return is_any;
  }

 private:
  std::uint64_t grant(int output, std::uint32_t free) {
    std::uint64_t granted = 0;
    for (; free; free &= free - 1) {
      const int vc = __builtin_ctz(free);
      const int winner = round_robin(requests_[output], grant_next_[vc][output]);
      offered_[winner] = static_cast<std::uint16_t>(offered_[winner] | 1U << vc);
      granted |= std::uint64_t{1} << winner;
    }
    return granted;
  }

  int take(int input, int output, std::uint32_t offered) {
    // A pointer into another port's channels comes round to the first of these.
    accept_pointer& next = accept_next_[input];
    const int vc = round_robin(offered, (next.output == output) * next.vc);
    next = {static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(vc + 1)};
    grant_next_[vc][output] = static_cast<std::uint8_t>((input + 1) % most_inputs);
    return vc;
  }

  struct accept_pointer {
    std::uint8_t output = 0, vc = 0;
  };

  // What a router with few VCs touches of each lies in a line of the cache.
  alignas(64) std::uint32_t wanted_ = 0;  // outputs with requests
  std::array<accept_pointer, most_inputs> accept_next_{};
  alignas(64) std::array<std::uint64_t, most_outputs> requests_{};  // input channels
  std::array<std::array<std::uint8_t, most_outputs>, most_vcs> grant_next_{};
  std::array<std::uint16_t, most_inputs> offered_{};
};

}  // namespace heddle
