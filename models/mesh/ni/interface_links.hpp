// The three links of a network interface. What is to be sent waits for its cycle and for a credit.
#pragma once

#include <array>

#include "models/mesh/ni/due_flits.hpp"
#include "models/mesh/ni/interface_tile.hpp"
#include "transactors/flit/flit_port.hpp"

namespace heddle {

enum interface_link : int { wide, req, rsp };

class interface_links {
 public:
  // Makes the ports `wide`, `req` and `rsp`; the tile must outlive it.
  explicit interface_links(interface_tile& tile);

  void check() const;  // user_error unless the links are as wide as their flits, without channels
  const flit_port& port(interface_link link) const { return ports_[link]; }

  // Calls take(flit, link) for each link on which a flit has arrived.
  template <class Take>
  void take_arrivals(cycle_t now, Take take) {
    for (std::uint64_t arrived = arrivals_.take(now); arrived; arrived &= arrived - 1) {
      const auto from = static_cast<interface_link>(__builtin_ctzll(arrived));
      take(ports_[from].take(0, now), from);
    }
  }

  // Of the flits that wait; `due` is the cycle from which one may leave.
  void send_at(cycle_t due, interface_link on, const flit& sent) {
    queue(due, on, sent);
    tile_.clock.wake(due);
  }
  // The same, while the interface is being evaluated anyway.
  void queue(cycle_t due, interface_link on, const flit& sent) { waiting_[on].push(due, sent); }
  const due_flits& waiting(interface_link on) const { return waiting_[on]; }
  bool is_idle() const;

  // A link without credit wakes the interface when it has one.
  bool has_credit(interface_link on, cycle_t now) { return ports_[on].has_credit(0, now); }
  void send(const flit& sent, interface_link on, cycle_t now) { ports_[on].send(sent, 0, now); }
  void send_due(interface_link on, cycle_t now);  // the first that waits
  void transmit(interface_link on, cycle_t now);  // it, if it is due and there is a credit
  void wake_for_next(interface_link on, cycle_t now);

 private:
  interface_tile& tile_;
  arrival_wheel arrivals_;
  std::array<flit_port, 3> ports_;
  std::array<due_flits, 3> waiting_;
};

}  // namespace heddle
