#include "transactors/flit/lane_crossing.hpp"

#include "transactors/flit/flit_end.hpp"

namespace heddle {

// The letter's detail is the cell for the flit and, in the lower half, the channel.
void crossing_transmitter::post_flit(const flit& sent, int channel, std::uint16_t cell,
                                     cycle_t arrival) {
  const auto detail = static_cast<std::uint32_t>(cell) << 16 | static_cast<std::uint32_t>(channel);
  mail_.post(*far_, arrival, detail, arrival + (sent.is_head() ? head_grace_ : 0)).enclose(sent);
}

void crossing_receiver::receive(const lane_mailbox::letter& read, cycle_t arrival) {
  const auto arrived = read.enclosed<flit>();
  cells_[read.detail >> 16] = arrived;
  arrivals_.deliver(arrival, static_cast<int>(read.detail & 0xffff), arrived.is_head());
}

// Who waits for the credit is woken by it, and nobody else.
void crossing_receiver::post_credit(int vc, cycle_t arrival) {
  mail_.post_in_case(*far_, arrival, static_cast<std::uint32_t>(vc), arrival);
}

void crossing_transmitter::receive(const lane_mailbox::letter& credit, cycle_t arrival) {
  transmitter_.take_credit(static_cast<int>(credit.detail), arrival);
}

}  // namespace heddle
