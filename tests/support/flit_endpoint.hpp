// A tile's end of a flit link for tests: sends what it is told, in order, as soon as there is a
// credit, and keeps what arrives, with the cycle.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/flit/flit_port.hpp"

namespace heddle {

struct received_flit {
  cycle_t cycle;
  flit carried;
};

class flit_endpoint final : public unit {
 public:
  flit_endpoint(const unit_context& context, mesh_position position, fs_t period = fs_per_ns)
      : unit(context), here(position), port_(*this, clock_, "port", 0, arrivals_, {}) {
    sim().service<clock_domains>().with_period(period).join(*this, clock_);
  }

  // Not before `cycle`, which was not evaluated yet.
  void send(const flit& sent, cycle_t cycle = 0, int vc = 0) {
    const cycle_t when = std::max(cycle, clock_.domain().next_cycle());
    outbox_.push_back({when, sent, vc});
    if (outbox_.size() == 1) clock_.wake(when);
  }

  void evaluate(cycle_t now) {
    for (std::uint64_t vcs = takes_flits ? arrivals_.take(now) : 0; vcs; vcs &= vcs - 1) {
      const flit arrived = port_.take(__builtin_ctzll(vcs), now);
      if (keeps_flits) received.push_back({now, arrived});
      if (on_receive) on_receive(arrived, now);
    }
    if (outbox_.empty() || outbox_.front().cycle > now) return wake_for_next(now);
    const waiting_flit& next = outbox_.front();
    if (!port_.has_credit(next.vc, now)) return;
    port_.send(next.carried, next.vc, now);
    outbox_.pop_front();
    wake_for_next(now);
  }

  std::size_t unsent() const { return outbox_.size(); }

  mesh_position here;
  bool takes_flits = true;
  bool keeps_flits = true;
  std::vector<received_flit> received;
  std::function<void(const flit&, cycle_t)> on_receive;

 private:
  struct waiting_flit {
    cycle_t cycle;  // not before
    flit carried;
    int vc;
  };

  void wake_for_next(cycle_t now) {
    if (!outbox_.empty()) clock_.wake(std::max(outbox_.front().cycle, now + 1));
  }

  clock_member clock_;
  arrival_wheel arrivals_;
  flit_port port_;
  std::deque<waiting_flit> outbox_;
};

}  // namespace heddle
