// The two ends of a flit link between two lanes of the clock domain (clock_lane.hpp). Flits and
// credits go by mail, and each end is touched by the thread of its own lane alone.
#pragma once

#include <cstdint>

#include "platform/time/lane_mailbox.hpp"
#include "transactors/flit/arrival_wheel.hpp"
#include "transactors/flit/flit.hpp"

namespace heddle {

struct flit_transmitter;
class crossing_receiver;

// Sends flits, and receives their credits.
class crossing_transmitter final : public lane_mailbox::addressee {
 public:
  crossing_transmitter(lane_mailbox& mail, flit_transmitter& own)
      : mail_(mail), transmitter_(own) {}
  void aim(crossing_receiver& far, cycle_t head_grace) {
    far_ = &far;
    head_grace_ = head_grace;
  }

  void post_flit(const flit& sent, int channel, std::uint16_t cell, cycle_t arrival);
  void receive(const lane_mailbox::letter& credit, cycle_t arrival) override;

 private:
  lane_mailbox& mail_;  // to the far lane
  flit_transmitter& transmitter_;
  crossing_receiver* far_ = nullptr;
  cycle_t head_grace_ = 0;  // of the wheel at the far end
};

// Receives flits, and sends their credits back.
class crossing_receiver final : public lane_mailbox::addressee {
 public:
  crossing_receiver(lane_mailbox& mail, arrival_wheel& arrivals, flit* cells)
      : mail_(mail), arrivals_(arrivals), cells_(cells) {}
  void aim(crossing_transmitter& far) { far_ = &far; }

  void post_credit(int vc, cycle_t arrival);
  void receive(const lane_mailbox::letter& arrived, cycle_t arrival) override;

 private:
  lane_mailbox& mail_;  // to the far lane
  arrival_wheel& arrivals_;
  flit* cells_;
  crossing_transmitter* far_ = nullptr;
};

}  // namespace heddle
