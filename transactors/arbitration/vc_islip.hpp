// iSLIP, one iteration, for virtual channel allocation: requesters are input channels, resources
// are output channels, up to 64 ports of 16 channels each. An input channel asks for any free
// channel of one output port, so requests are kept once a port instead of once a channel, and
// each port is matched on its own.
//
// Limitations: a requester names one output port and takes any of its channels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "transactors/arbitration/vc_set.hpp"

namespace heddle {

class vc_islip {
 public:
  // Pointers start at the first requester and the first resource.
  explicit vc_islip(int ports)
      : requests_(ports), grant_next_(ports), accept_next_(ports), grants_(ports) {}

  void request(port_vc requester, int output) {
    requests_[output].insert(requester);
    wanted_ |= std::uint64_t{1} << output;
  }

  // free(output) is the mask of its channels that may be taken. Calls accept(requester, taken) for
  // every match and forgets the requests. Returns whether there was a match.
  template <class Free, class Accept>
  bool match(Free free, Accept accept) {
    bool is_any = false;
    for (; wanted_; wanted_ &= wanted_ - 1) {
      const int output = __builtin_ctzll(wanted_);
      grant(output, free(output));
      is_any = is_any || !granted_.empty();
      accept_grants(output, accept);
      requests_[output].clear();
    }
    return is_any;
  }

 private:
  void grant(int output, std::uint32_t free) {
    for (; free; free &= free - 1) {
      const int vc = __builtin_ctz(free);
      const port_vc winner = requests_[output].first_from(grant_next_[output][vc]);
      auto& offered = grants_[winner.port][winner.vc];
      offered = static_cast<std::uint16_t>(offered | 1U << vc);
      granted_.insert(winner);
    }
  }

  template <class Accept>
  void accept_grants(int output, Accept& accept) {
    granted_.take_each([&](port_vc winner) {
      auto& offered = grants_[winner.port][winner.vc];
      port_vc& next = accept_next_[winner.port][winner.vc];
      // A pointer into another port's channels comes round to the first of these.
      const int vc = round_robin(offered, next.port == output ? next.vc : 0);
      offered = 0;
      next = {output, vc + 1};
      grant_next_[output][vc] = {winner.port, winner.vc + 1};
      accept(winner, port_vc{output, vc});
    });
  }

  template <class T>
  using by_channel = std::vector<std::array<T, vc_set::most_vcs>>;  // [port][channel]

  std::vector<vc_set> requests_;      // by output
  by_channel<port_vc> grant_next_;    // by resource
  by_channel<port_vc> accept_next_;   // by requester
  by_channel<std::uint16_t> grants_;  // by requester: channels offered by the output in turn
  vc_set granted_;
  std::uint64_t wanted_ = 0;  // outputs with requests
};

}  // namespace heddle
