// iSLIP, one iteration, for up to 64 requesters and 64 resources: every resource grants the first
// requester at or after its grant pointer, every requester accepts the first grant at or after its
// accept pointer. Both pointers move behind an accepted match and stay otherwise, which
// desynchronizes them under load (McKeown, 1999).
#pragma once

#include <array>
#include <cstdint>

#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

class islip {
 public:
  static constexpr int most = 64;

  void request(int requester, int resource) {
    requests_[resource] |= std::uint64_t{1} << requester;
    wanted_ |= std::uint64_t{1} << resource;
  }

  // Calls accept(requester, resource) for every match, in the order of requesters, and forgets the
  // requests. Returns whether there was a match.
  template <class Accept>
  bool match(Accept accept) {
    const std::uint64_t granted = grant();
    for (std::uint64_t left = granted; left; left &= left - 1) {
      const int requester = __builtin_ctzll(left);
      const int resource = round_robin(grants_[requester], accept_next_[requester]);
      grants_[requester] = 0;
      grant_next_[resource] = after(requester);
      accept_next_[requester] = after(resource);
      accept(requester, resource);
    }
    return granted != 0;
  }

 private:
  static std::uint8_t after(int index) { return static_cast<std::uint8_t>((index + 1) % most); }

  std::uint64_t grant() {
    std::uint64_t granted = 0;
    for (; wanted_; wanted_ &= wanted_ - 1) {
      const int resource = __builtin_ctzll(wanted_);
      const int requester = round_robin(requests_[resource], grant_next_[resource]);
      requests_[resource] = 0;
      grants_[requester] |= std::uint64_t{1} << resource;
      granted |= std::uint64_t{1} << requester;
    }
    return granted;
  }

  std::array<std::uint64_t, most> requests_{};  // by resource: who asks for it
  std::array<std::uint64_t, most> grants_{};    // by requester: what it was offered
  std::array<std::uint8_t, most> grant_next_{};
  std::array<std::uint8_t, most> accept_next_{};
  std::uint64_t wanted_ = 0;  // resources with requests
};

}  // namespace heddle
