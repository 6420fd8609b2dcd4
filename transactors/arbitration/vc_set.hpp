// A set of virtual channels of many ports, in two levels of bit masks: 64 ports of 16 channels are
// searched in constant time.
#pragma once

#include <array>
#include <cstdint>

#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

struct port_vc {
  int port = 0;
  int vc = 0;
};

class vc_set {
 public:
  static constexpr int most_ports = 64;
  static constexpr int most_vcs = 16;

  bool empty() const { return ports_ == 0; }

  void insert(port_vc added) {
    vcs_[added.port] = static_cast<std::uint16_t>(vcs_[added.port] | 1U << added.vc);
    ports_ |= std::uint64_t{1} << added.port;
  }

  void clear() {
    for (; ports_; ports_ &= ports_ - 1) vcs_[__builtin_ctzll(ports_)] = 0;
  }

  // Calls use(member) in ascending order and leaves the set empty.
  template <class Use>
  void take_each(Use use) {
    for (; ports_; ports_ &= ports_ - 1) {
      const int port = __builtin_ctzll(ports_);
      for (std::uint32_t left = vcs_[port]; left; left &= left - 1)
        use(port_vc{port, __builtin_ctz(left)});
      vcs_[port] = 0;
    }
  }

  // The first member at or after `from`, cyclically; ports count before channels. The set is not
  // empty; from.vc may be one past the last channel.
  port_vc first_from(port_vc from) const {
    const std::uint32_t here = vcs_[from.port] & (~std::uint32_t{0} << from.vc);
    if (here) return {from.port, __builtin_ctz(here)};
    const int port = round_robin(ports_, (from.port + 1) % most_ports);
    return {port, __builtin_ctz(vcs_[port])};
  }

 private:
  std::uint64_t ports_ = 0;  // ports with members
  std::array<std::uint16_t, most_ports> vcs_{};
};

}  // namespace heddle
