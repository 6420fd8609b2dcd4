#include "platform/registers/register_polls.hpp"

namespace heddle {

fs_t register_polls::perform_poll(const sleeping_poll& poll, fs_t start) {
  history_.add({start, poll.address, poll.value, poll.origin->initiator, poll.origin->at,
                static_cast<std::uint8_t>(poll.bytes), false});
  return start;
}

void register_polls::repeat_poll(const sleeping_poll&, std::uint64_t times, fs_t last_start) {
  history_.repeat(times, last_start);
}

}  // namespace heddle
