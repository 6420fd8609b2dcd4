// One end of a flit link: transmitter and receiver of a unit in a clock domain. The sender puts a
// flit, stamped with the cycle of its arrival, where the far end looks for it; credits come back
// the same way. At one flit a cycle a link is a shift register, not a TLM transaction: nothing is
// called per flit, and the far end is woken for the cycle of the arrival. A flit is written once a
// hop, into the receive buffer of the far end. Between lanes of the clock domain both go by mail.
//
// Limitations: both ends belong to one clock domain; a link takes a cycle or more.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/services/link_directory.hpp"
#include "platform/time/clock_domain.hpp"
#include "platform/unit/port.hpp"
#include "transactors/flit/arrival_wheel.hpp"
#include "transactors/flit/flit.hpp"
#include "transactors/flit/flit_end.hpp"
#include "transactors/flit/flit_link_parameters.hpp"

namespace heddle {

class flit_port final : public port, private counted_wire {
 public:
  static constexpr int most_vcs = flit_transmitter::most_vcs;

  struct timing {
    int pipeline = 0;        // cycles that send() looks ahead at most
    cycle_t head_grace = 0;  // the owner need not be evaluated earlier after the arrival of a head
    // The member that arrivals wake, in the lane of the owner; nullptr: the owner itself.
    const clock_member* receiver = nullptr;
  };
  struct halves {
    flit_transmitter* transmitter;
    flit_receiver* receiver;
  };
  // The owner joins its clock domain before ports are connected. What is under way to this port is
  // in `arrivals`: of VC v at channel v, or behind the first channel that listen_from() states.
  // They belong to the owner, unless they belong to somebody already. An owner for which every line
  // of the cache counts keeps what a flit touches itself.
  flit_port(unit& owner, const clock_member& clock, const std::string& name, int index,
            arrival_wheel& arrivals, const timing& timed, const halves& kept = {});

  std::string kind() const override { return "flit"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;

  int index() const { return index_; }
  const clock_member& clock() const { return clock_; }
  const flit_port* peer() const { return peer_; }
  int vcs() const { return vcs_; }
  int buffer() const { return buffer_; }  // flits of each VC, at the far end as here
  cycle_t latency() const { return out_->latency; }
  // Throws user_error unless the link moves so many payload bytes a cycle: those of a flit. A port
  // that is not bound passes.
  void check_flit(std::uint64_t bytes) const;
  // What it has sent: packets are flits here, and a stall is a time when a flit found no credit.
  link_figures figures() const override;
  std::size_t bytes() const;  // of memory, buffers included

  // Transmitter -----------------------------------------------------------------------------
  // When there is none, the owner is woken as soon as one comes back.
  bool has_credit(int vc, cycle_t now) {
    if (!out_->has_credit(vc, now)) return wait_for_credit(vc, now);
    if (out_->blocked_vcs) out_->unblock(vc);
    return true;
  }
  // For an owner that asks the transmitter itself (flit_end.hpp) and has channels that wait.
  void tell_credits(arrival_wheel* wheels) { returns_.wheels = wheels; }
  void count_credit_stall() { ++credit_stalls_; }
  // Takes a credit of the VC that the flit leaves on. It is on the wire from `departure` >= now on.
  void send(const flit& sent, int vc, cycle_t departure) { out_->send(sent, vc, departure); }

  // Receiver --------------------------------------------------------------------------------
  void listen_from(int first_channel);
  // The same, of an owner that keeps the records of all its channels in one place: those of this
  // port's VCs start at `channels`. The port is connected.
  void listen_from(int first_channel, flit_channel* channels);
  // For an owner that takes flits itself (flit_end.hpp). Every port is joined.
  const flit_receiver& receiver() const { return *in_; }
  flit_channel* channels() { return channels_; }  // by VC
  // The oldest flit of a VC; the owner knows from the arrivals that there is one.
  const flit& front(int vc) const { return in_->cells[channels_[vc].first]; }
  // The front is gone; its credit goes back. At most one a cycle, whatever the VC.
  void pop(int vc, cycle_t now) { in_->pop(channels_[vc], vc, front(vc).is_tail(), now); }
  flit take(int vc, cycle_t now) {
    const flit taken = front(vc);
    pop(vc, now);
    return taken;
  }

 private:
  void check_peer(const flit_port& far) const;
  void prepare(const flit_link_parameters& link);
  void aim();
  void cross();
  bool wait_for_credit(int vc, cycle_t now);

  const clock_member& clock_;
  const clock_member& receiver_;
  arrival_wheel& arrivals_;
  flit_transmitter* out_;
  flit_receiver* in_;
  flit_channel* channels_ = nullptr;  // of the receiver
  struct own_halves {
    flit_transmitter transmitter;
    flit_receiver receiver;
  };
  std::unique_ptr<own_halves> own_;
  std::unique_ptr<flit_channel[]> own_channels_;
  flit_port* peer_ = nullptr;
  credit_returns returns_;
  std::unique_ptr<crossing_receiver> crossing_receiver_;  // if the far end is in another lane
  std::uint64_t credit_stalls_ = 0;
  int index_;
  int buffer_ = 0;
  std::uint16_t pipeline_;
  std::uint16_t flit_bytes_ = 0;
  std::uint8_t vcs_ = 0;
  std::uint8_t first_channel_ = 0;
  std::uint8_t head_grace_;
};

}  // namespace heddle
