// iSLIP, one iteration: every resource grants the first requester at or after its grant pointer,
// every requester accepts the first grant at or after its accept pointer. Both pointers move behind
// an accepted match and stay otherwise, which desynchronizes them under load (McKeown, 1999).
//
// Set is a word_set with room for `ports`. Fewer may take part.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle {

template <class Set, std::size_t ports>
class islip {
 public:
  void request(int requester, int resource) {
    requests_[resource].insert(requester);
    wanted_.insert(resource);
  }

  bool has_request(int requester, int resource) const { return requests_[resource].has(requester); }

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
  static_assert(ports < 256);
  using pointer = std::uint8_t;

  std::array<Set, ports> requests_{};  // by resource: who asks for it
  std::array<Set, ports> grants_{};    // by requester: what it was offered
  std::array<pointer, ports> grant_next_{};
  std::array<pointer, ports> accept_next_{};
  Set wanted_;   // resources with requests
  Set granted_;  // requesters with grants
};

}  // namespace heddle
