// iSLIP, one iteration, for virtual channel allocation: requesters are input channels, resources
// are output channels. An input channel asks for any free channel of one output port, so requests
// are kept once a port instead of once a channel, and each port is matched on its own. Requests
// stay until they are granted. The accept pointer of an input channel is its owner's to keep: it is
// behind the output channel that was taken last, if that was of the same port, else 0.
//
// Channels is a word_set with room for the input channels, Outputs one for the output ports.
//
// Limitations: a requester names one output port and takes any of its channels; 16 channels a port.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

template <class Channels, class Outputs, std::size_t channels, std::size_t outputs>
class vc_islip {
 public:
  static constexpr int port_vcs = 16;

  void request(int channel, int output) {
    requests_[output].insert(channel);
    wanted_.insert(output);
  }
  bool has_requests() const { return !wanted_.empty(); }
  const Outputs& wanted() const { return wanted_; }  // outputs with requests

  // Nobody else asks for the output, and some of its channels are free. Returns the one that is
  // taken.
  int match_alone(int channel, int output, int pointer, std::uint16_t& free) {
    return take(channel, output, pointer, free, free);
  }

  // free(output) refers to the mask of its channels that may be taken; a taken one is removed.
  // pointer(channel) is the accept pointer. Calls accept(channel, output, vc) for every match.
  // Returns whether there was one.
  template <class Free, class Pointer, class Accept>
  bool match(Free free, Pointer pointer, Accept accept) {
    bool is_any = false;
    wanted_.for_each([&](int output) {
      std::uint16_t& free_vcs = free(output);
      if (free_vcs == 0) return;
      is_any = true;
      if (requests_[output].is_single()) {  // it is granted them all
        const int channel = requests_[output].next(0);
        requests_[output].clear();
        accept(channel, output, take(channel, output, pointer(channel), free_vcs, free_vcs));
      } else {
        offers made;
        grant(output, free_vcs, made);
        made.granted.for_each([&](int channel) {
          const std::uint16_t offered = made.vcs[channel];
          requests_[output].erase(channel);
          accept(channel, output, take(channel, output, pointer(channel), offered, free_vcs));
        });
      }
      if (requests_[output].empty()) wanted_.erase(output);
    });
    return is_any;
  }

 private:
  // Output channels of the port in turn, by input channel: of those that are granted some.
  struct offers {
    Channels granted;
    std::array<std::uint16_t, channels> vcs;
  };

  void grant(int output, std::uint32_t free, offers& made) {
    for (; free; free &= free - 1) {
      const int vc = __builtin_ctz(free);
      const int winner = requests_[output].next(grant_next_[vc][output]);
      if (!made.granted.has(winner)) made.vcs[winner] = 0;
      made.vcs[winner] = static_cast<std::uint16_t>(made.vcs[winner] | 1U << vc);
      made.granted.insert(winner);
    }
  }

  int take(int channel, int output, int pointer, std::uint32_t offered, std::uint16_t& free) {
    const int vc = round_robin(offered, pointer);
    grant_next_[vc][output] = static_cast<channel_index>(channel + 1);
    free = static_cast<std::uint16_t>(free & ~(1U << vc));
    return vc;
  }

  using channel_index = std::conditional_t<(channels > 255), std::uint16_t, std::uint8_t>;

  // What a router with few channels touches mostly lies in a line of the cache.
  alignas(64) Outputs wanted_;  // outputs with requests
  std::array<std::array<channel_index, outputs>, port_vcs> grant_next_{};
  std::array<Channels, outputs> requests_{};  // by output: input channels
};

}  // namespace heddle
