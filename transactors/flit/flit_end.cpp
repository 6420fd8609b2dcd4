#include "transactors/flit/flit_end.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t is_head_bit = 0x100;

void deliver(const lane_mailbox::letter& arrival) {
  static_cast<arrival_wheel*>(arrival.target)
      ->deliver(arrival.cycle, static_cast<int>(arrival.detail & (is_head_bit - 1)),
                (arrival.detail & is_head_bit) != 0);
}

void give_back(const lane_mailbox::letter& credit) {
  static_cast<flit_transmitter*>(credit.target)
      ->take_credit(static_cast<int>(credit.detail), credit.cycle);
}

}  // namespace

void flit_transmitter::post_arrival(cycle_t arrival, int channel, bool is_head) {
  const lane_crossing& over = *returns->crossing;
  const std::uint32_t head = is_head ? is_head_bit : 0;
  over.flits->post(
      {deliver, over.far_arrivals, arrival, static_cast<std::uint32_t>(channel) | head},
      over.far_arrivals->woken_for(arrival, is_head));
}

// Who waits for the credit is woken by it, and nobody else.
void flit_transmitter::post_credit(int vc, cycle_t arrival) {
  returns->crossing->credits->post_in_case(
      {give_back, this, arrival, static_cast<std::uint32_t>(vc)}, arrival);
}

}  // namespace heddle
