#include "models/switch/hop_time.hpp"

#include "models/switch/switch.hpp"

namespace heddle {

fs_t forwarding_of(const unit& passed) {
  const auto* const forwarder = dynamic_cast<const packet_switch*>(&passed);
  return forwarder ? forwarder->forwarding() : 0;
}

fs_t hop_time_of(const packet_port& out) {
  return out.way() + forwarding_of(out.peer()->owner());
}

}  // namespace heddle
