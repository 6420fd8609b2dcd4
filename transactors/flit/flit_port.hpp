// One end of a flit link: transmitter and receiver of a unit in a clock domain. The sender puts a
// flit, stamped with the cycle of its arrival, where the far end looks for it; credits come back
// the same way. At one flit a cycle a link is a shift register, not a TLM transaction: nothing is
// called per flit, and the far end is woken for the cycle of the arrival. The receive buffer
// belongs to the port: a flit is written once a hop.
//
// Limitations: both ends belong to one clock domain; a link takes a cycle or more.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/time/clock_domain.hpp"
#include "platform/unit/port.hpp"
#include "platform/unit/statistic.hpp"
#include "transactors/flit/arrival_wheel.hpp"
#include "transactors/flit/flit.hpp"
#include "transactors/flit/flit_link_parameters.hpp"

namespace heddle {

struct flit_link_counters : statistic_set {
  alignas(64) statistic flits{*this, "flits", quantity::count, "flits sent"};
  statistic bytes{*this, "bytes", quantity::bytes, "bytes sent, the whole width of each flit"};
  statistic payload{*this, "payload", quantity::bytes, "bytes of data in them"};
  statistic busy{*this, "busy", quantity::busy, "time in which the link carried flits"};
  statistic credit_stalls{*this, "credit_stalls", quantity::count,
                          "times when a flit found no credit"};
};

class flit_port final : public port {
 public:
  static constexpr int most_vcs = 16;

  struct timing {
    int pipeline = 0;        // cycles that send() looks ahead at most
    cycle_t head_grace = 0;  // the owner need not be evaluated earlier after the arrival of a head
  };
  // The owner joins its clock domain before ports are connected. What is under way to this port is
  // in `arrivals`: of VC v at channel v, or behind the first channel that listen_from() states.
  flit_port(unit& owner, const clock_member& clock, const std::string& name, int index,
            arrival_wheel& arrivals, const timing& timed);

  std::string kind() const override { return "flit"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;

  int index() const { return index_; }
  const flit_port* peer() const { return peer_; }
  int vcs() const { return vcs_; }
  int buffer() const { return buffer_; }  // flits of each VC, at the far end as here
  cycle_t latency() const { return latency_; }
  // Throws user_error unless the link moves so many payload bytes a cycle: those of a flit. A port
  // that is not bound passes.
  void check_flit(std::uint64_t bytes) const;
  const flit_link_counters& counters() const { return counters_; }
  std::size_t bytes() const;  // of memory, buffers included

  // Transmitter -----------------------------------------------------------------------------
  // When there is none, the owner is woken as soon as one comes back.
  bool has_credit(int vc, cycle_t now);
  // The same, without waking anybody: for who was told no before.
  bool has_credit_now(int vc, cycle_t now) const;
  // Takes a credit of the VC that the flit leaves on. It is on the wire from `departure` >= now on.
  void send(const flit& sent, int vc, cycle_t departure);

  // Receiver --------------------------------------------------------------------------------
  void listen_from(int first_channel) {
    first_channel_ = static_cast<std::uint16_t>(first_channel);
  }
  // The oldest flit of a VC; the owner knows from the arrivals that there is one.
  const flit& front(int vc) const { return cells_[rings_[vc].first]; }
  // The front is gone; its credit goes back. At most one a cycle, whatever the VC.
  void pop(int vc, cycle_t now);
  flit take(int vc, cycle_t now) {
    const flit taken = front(vc);
    pop(vc, now);
    return taken;
  }

 private:
  static constexpr int vc_bits = 4;  // of a stamp; the cycle is above them
  using stamp = std::uint64_t;

  void check_peer(const flit_port& far) const;
  void prepare(const flit_link_parameters& link);
  static bool is_under_way(stamp credit, int vc, cycle_t now) {
    return (credit >> vc_bits > now) & (static_cast<int>(credit & (most_vcs - 1)) == vc);
  }
  bool wait_for_credit(int vc, cycle_t now);

  // The receive buffer of a VC: a ring of cells that are vcs_ apart. It starts anew at the first
  // whenever it is empty, so a mesh with little traffic touches little memory.
  struct vc_ring {
    std::uint16_t first = 0;
    std::uint16_t end = 0;  // where the far end puts the next
  };
  std::uint16_t next_cell(std::uint16_t cell) const {
    const int next = cell + vcs_;
    return static_cast<std::uint16_t>(next < cells_end_ ? next : next - cells_end_);
  }
  const stamp* returning() const {
    return last_returning_ < few_.size() ? few_.data() : many_.data();
  }
  stamp* returning() { return last_returning_ < few_.size() ? few_.data() : many_.data(); }

  // A mesh does not fit the first cache, so what a flit touches lies in two lines of it. Of the
  // transmitter: the last credits, by the cycle of their return, as many as can be under way; they
  // are part of credits_ already.
  alignas(64) std::array<stamp, 4> few_{};  // or many_, if the link is long
  flit_port* peer_ = nullptr;
  std::uint16_t blocked_vcs_ = 0;  // found no credit: their return wakes the owner
  std::uint16_t flit_bytes_ = 0;
  std::uint8_t latency_ = 0;
  std::uint8_t last_returning_ = 0;
  std::array<std::uint16_t, most_vcs> credits_{};

  // Of the receiver.
  alignas(64) const clock_member& clock_;
  arrival_wheel& arrivals_;
  flit* cells_ = nullptr;  // of buffers_
  fs_t period_ = 0;
  int cells_end_ = 0;  // vcs * buffer
  std::uint16_t first_channel_ = 0;
  std::uint8_t vcs_ = 0;
  std::uint8_t head_grace_;
  std::array<vc_ring, most_vcs> rings_{};

  // Lines of the cache, [cell][vc]: flits that arrive in turn are neighbors.
  struct alignas(64) flit_line {
    std::array<flit, 4> flits;
  };
  std::vector<flit_line> buffers_;
  std::vector<stamp> many_;
  int index_;
  int buffer_ = 0;
  flit_link_counters counters_;
  int pipeline_;
};

inline bool flit_port::has_credit_now(int vc, cycle_t now) const {
  int credits = credits_[vc];
  // No more than a credit a cycle can be under way. Few are counted sooner than guessed.
  if (last_returning_ >= few_.size() && credits > latency_) return true;
  for (int i = 0; i <= last_returning_; ++i) credits -= is_under_way(returning()[i], vc, now);
  return credits > 0;
}

inline bool flit_port::has_credit(int vc, cycle_t now) {
  if (!has_credit_now(vc, now)) return wait_for_credit(vc, now);
  if (blocked_vcs_) blocked_vcs_ = static_cast<std::uint16_t>(blocked_vcs_ & ~(1U << vc));
  return true;
}

inline void flit_port::send(const flit& sent, int vc, cycle_t departure) {
  --credits_[vc];
  flit_port& far = *peer_;
  counters_.flits += 1;
  counters_.bytes += flit_bytes_;
  counters_.payload += flit_bytes_ * (8U - sent.absent) / 8;
  counters_.busy += far.period_;  // as this one's
  vc_ring& ring = far.rings_[vc];
  flit& cell = far.cells_[ring.end];
  ring.end = far.next_cell(ring.end);
  cell = sent;
  cell.set_vc(vc);
  const cycle_t arrival = departure + latency_;
  far.arrivals_.add(arrival, far.first_channel_ + vc);
  far.clock_.wake(sent.is_head() ? arrival + far.head_grace_ : arrival);
}

inline void flit_port::pop(int vc, cycle_t now) {
  vc_ring& ring = rings_[vc];
  ring.first = next_cell(ring.first);
  if (ring.first == ring.end) ring.first = ring.end = static_cast<std::uint16_t>(vc);
  flit_port& far = *peer_;
  const cycle_t arrival = now + latency_;
  ++far.credits_[vc];
  far.returning()[arrival & far.last_returning_] = arrival << vc_bits | static_cast<stamp>(vc);
  if (far.blocked_vcs_ >> vc & 1) far.clock_.wake(arrival);
}

}  // namespace heddle
