// A set of virtual channels of many ports, numbered port x 16 + channel: the channels of each port
// are a word, and a port_set says which ports have any.
#pragma once

#include <cstdint>
#include <vector>

#include "transactors/arbitration/port_set.hpp"

namespace heddle {

class vc_set {
 public:
  static constexpr int port_vcs = 16;  // channels of a port
  static constexpr int channel(int port, int vc) { return port * port_vcs + vc; }
  static constexpr int port_of(int channel) { return channel / port_vcs; }
  static constexpr int vc_of(int channel) { return channel % port_vcs; }

  // Its memory is taken when the first channel comes: most outputs of a large switch are idle.
  explicit vc_set(int ports) : ports_(ports), port_count_(ports) {}

  bool empty() const { return ports_.empty(); }
  bool is_single() const { return false; }  // not known at a glance

  void insert(int added) {
    if (vcs_.empty()) vcs_.resize(static_cast<std::size_t>(port_count_) + 1);
    word(added) = static_cast<std::uint16_t>(word(added) | 1U << vc_of(added));
    ports_.insert(port_of(added));
  }

  void erase(int removed) {
    word(removed) = static_cast<std::uint16_t>(word(removed) & ~(1U << vc_of(removed)));
    if (word(removed) == 0) ports_.erase(port_of(removed));
  }

  void clear() {
    ports_.for_each([this](int port) { vcs_[port] = 0; });
    ports_.clear();
  }

  // Calls use(channel) in ascending order.
  template <class Use>
  void for_each(Use use) const {
    ports_.for_each([&](int port) {
      for (std::uint32_t left = vcs_[port]; left; left &= left - 1)
        use(channel(port, __builtin_ctz(left)));
    });
  }

  // The first member at or after `from`, cyclically. The set is not empty; `from` may be one past
  // the last channel.
  int next(int from) const {
    const int port = port_of(from);
    const std::uint32_t here = vcs_[port] & (~std::uint32_t{0} << vc_of(from));
    if (here) return channel(port, __builtin_ctz(here));
    const int found = ports_.next(port < port_count_ ? port + 1 : 0);
    return channel(found, __builtin_ctz(vcs_[found]));
  }

 private:
  std::uint16_t& word(int of) { return vcs_[port_of(of)]; }

  port_set ports_;  // with members
  int port_count_;
  std::vector<std::uint16_t> vcs_;  // by port, and none behind the last one
};

}  // namespace heddle
