// iSLIP, one iteration: every resource grants the first requester at or after its grant pointer,
// every requester accepts the first grant at or after its accept pointer. Both pointers move behind
// an accepted match and stay otherwise, which desynchronizes them under load (McKeown, 1999).
//
// Set is port_set for a switch whose number of ports a netlist states, or a word_set together with
// that number.
#pragma once

#include <cstdint>

#include "transactors/arbitration/port_table.hpp"

namespace heddle {

template <class Set, std::size_t fixed_ports = 0>
class islip {
 public:
  explicit islip(int ports) : wanted_(ports), granted_(ports) {
    if constexpr (fixed_ports == 0) {
      for (int i = 0; i < ports; ++i) {
        requests_.emplace_back(ports);
        grants_.emplace_back(ports);
      }
      grant_next_.resize(static_cast<std::size_t>(ports));
      accept_next_.resize(static_cast<std::size_t>(ports));
    }
  }

  void request(int requester, int resource) {
    requests_[resource].insert(requester);
    wanted_.insert(resource);
  }

  // Calls accept(requester, resource) for every match, in the order of requesters, and forgets the
  // requests. Returns whether there was a match.
  template <class Accept>
  bool match(Accept accept) {
    if (wanted_.empty()) return false;
    wanted_.for_each([this](int resource) {
      const int requester = requests_[resource].next(grant_next_[resource]);
      requests_[resource].clear();
      grants_[requester].insert(resource);
      granted_.insert(requester);
    });
    wanted_.clear();
    granted_.for_each([&](int requester) {
      const int resource = grants_[requester].next(accept_next_[requester]);
      grants_[requester].clear();
      match_alone(requester, resource);
      accept(requester, resource);
    });
    granted_.clear();
    return true;
  }

  // Nobody else asks, and nothing was requested.
  void match_alone(int requester, int resource) {
    grant_next_[resource] = static_cast<pointer>(requester + 1);
    accept_next_[requester] = static_cast<pointer>(resource + 1);
  }

 private:
  using pointer = std::conditional_t<fixed_ports == 0, std::uint16_t, std::uint8_t>;

  port_table<Set, fixed_ports> requests_{};  // by resource: who asks for it
  port_table<Set, fixed_ports> grants_{};    // by requester: what it was offered
  port_table<pointer, fixed_ports> grant_next_{};
  port_table<pointer, fixed_ports> accept_next_{};
  Set wanted_;   // resources with requests
  Set granted_;  // requesters with grants
};

}  // namespace heddle
