// What a single packet has to look like on a link, whatever was there before.
#pragma once

#include <string>

#include "platform/time/bandwidth.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

struct monitored_link {
  bandwidth rate;
  fs_t latency = 0;
  int vcs = 0;
  std::uint64_t buffer_bytes = 0;  // of each virtual channel
};

// The rule that the packet breaks, "" when it breaks none. The call is made at `now` and says that
// the first byte arrives `delay` later.
std::string broken_rule(const packet& p, const monitored_link& link, fs_t now, fs_t delay);

}  // namespace heddle
