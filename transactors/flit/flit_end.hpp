// What a flit touches at the ends of a link. A mesh does not fit the first cache, so the names,
// parameters and results of a port are elsewhere (flit_port.hpp), and what a transmitter has to
// know of the far end is copied here when the two are joined.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "transactors/flit/arrival_wheel.hpp"
#include "transactors/flit/flit.hpp"
#include "transactors/flit/lane_crossing.hpp"

namespace heddle {

// A VC at its receiver. Its flits lie in a ring of cells; the other fields belong to the unit that
// receives.
struct alignas(8) flit_channel {
  std::uint16_t first = 0;  // cell of the oldest flit
  std::uint16_t more = 0;   // flits behind the first that have arrived
  std::uint8_t port = 0;
  std::uint8_t vc = 0;
  std::uint8_t output = 0;     // of the packet in turn
  std::uint8_t output_vc = 0;  // the same
};
static_assert(sizeof(flit_channel) == 8);

using credit_stamp = std::uint64_t;  // cycle of a credit's return, and in the low bits its VC

// What a transmitter seldom needs: who hears of credits that return, and the credits of long links.
struct credit_returns {
  const clock_member* owner = nullptr;  // woken by a credit that it waits for
  // Instead, of an owner with many channels: a bit a channel for the cycle in which a credit is
  // back, by channel / 64. Once for each wait.
  arrival_wheel* wheels = nullptr;
  std::array<std::uint16_t, 16> waiting{};  // by VC: the channel
  std::unique_ptr<credit_stamp[]> many;
  std::unique_ptr<crossing_transmitter> crossing;  // nullptr: the far end is in the same lane

  void tell(int vc, cycle_t arrival) const {
    wheels[waiting[vc] / 64].deliver(arrival, waiting[vc] % 64, false);
  }
};

// The cells of a receive buffer are [cell][vc]: what arrives in turn lies side by side. Both sizes
// are rounded up to powers of two, so that the ring of a VC closes by a mask.
inline std::uint16_t next_cell(std::uint16_t cell, std::uint8_t stride, std::uint16_t last) {
  return static_cast<std::uint16_t>((cell + stride) & last);
}

struct alignas(64) flit_transmitter {
  static constexpr int most_vcs = 16;
  static constexpr int vc_bits = 4;  // of a stamp; the cycle is above them

  // Whether the VC has a credit. Nobody is woken when it has none.
  bool has_credit(int vc, cycle_t now) const {
    if (by_vc[vc].spare_credits >= 0) return true;
    return by_vc[vc].spare_credits + most_under_way() > under_way(vc, now);
  }
  // Credits of the VC that are on their way back. A short link has no more than the few stamps, of
  // which one that is not in use is 0.
  int under_way(int vc, cycle_t now) const {
    if (!is_long()) return is_under_way(few[0], vc, now) + is_under_way(few[1], vc, now);
    int sum = 0;
    for (int i = 0; i <= last_returning; ++i) sum += is_under_way(returns->many[i], vc, now);
    return sum;
  }
  // At most one credit a cycle can be on its way back. A VC may have more credits than that.
  int most_under_way() const { return latency + 1; }
  static bool is_under_way(credit_stamp credit, int vc, cycle_t now) {
    return (credit >> vc_bits > now) & (static_cast<int>(credit & (most_vcs - 1)) == vc);
  }
  // Whether more credits can be under way than `few` holds.
  bool is_long() const { return __builtin_expect(last_returning >= few.size(), 0); }
  const credit_stamp* stamps() const { return is_long() ? returns->many.get() : few.data(); }

  // Tells the wheels when the VC's next credit is back. It has none in that cycle, as far as this
  // lane of the clock domain knows: mail brings credits in time for the cycle of their return.
  void await_credit(int vc, std::uint16_t channel, cycle_t cycle) {
    returns->waiting[vc] = channel;
    cycle_t next = UINT64_MAX;
    for (int i = 0; i <= last_returning; ++i)
      if (is_under_way(stamps()[i], vc, cycle)) next = std::min(next, stamps()[i] >> vc_bits);
    if (next == UINT64_MAX)
      block(vc);
    else
      returns->tell(vc, next);
  }

  // From block() to unblock() the owner is told of credits of the VC.
  void block(int vc) { blocked_vcs = static_cast<std::uint16_t>(blocked_vcs | 1U << vc); }
  void unblock(int vc) { blocked_vcs = static_cast<std::uint16_t>(blocked_vcs & ~(1U << vc)); }

  // Takes a credit of the VC that the flit leaves on. It is on the wire from `departure` >= now on.
  void send(const flit& sent, int vc, cycle_t departure) {
    vc_state& on = by_vc[vc];
    const std::uint16_t cell = on.cell;
    --on.spare_credits;
    on.cell = next_cell(cell, cell_stride, last_cell);
    ++flits;
    if (sent.absent) absent_eighths += sent.absent;
    const int channel = far_first_channel + vc;
    if (!far_arrivals)
      return returns->crossing->post_flit(sent, channel, cell, departure + latency);
    far_cells[cell] = sent;
    far_arrivals->deliver(departure + latency, channel, sent.is_head());
  }

  // The far end has taken a flit.
  void take_credit(int vc, cycle_t arrival) {
    ++by_vc[vc].spare_credits;
    credit_stamp* const stamps = is_long() ? returns->many.get() : few.data();
    stamps[arrival & last_returning] = arrival << vc_bits | static_cast<credit_stamp>(vc);
    if (blocked_vcs >> vc & 1) tell(vc, arrival);
  }

  // The far end has taken a packet, and its oldest flit is expected in `next`. If none is on its
  // way, the ring starts anew at the first cell, so that a mesh with little traffic touches little
  // memory. Returns the cell of the next flit.
  std::uint16_t restart_if_empty(int vc, std::uint16_t next) {
    vc_state& of = by_vc[vc];
    const int back = (next - vc) & -static_cast<int>(next == of.cell);  // no branch
    of.cell = static_cast<std::uint16_t>(of.cell - back);
    return static_cast<std::uint16_t>(next - back);
  }

  void tell(int vc, cycle_t arrival) {
    if (!returns->wheels) return returns->owner->wake(arrival);
    unblock(vc);
    returns->tell(vc, arrival);
  }

  struct vc_state {
    std::int16_t spare_credits = 0;  // above most_under_way()
    std::uint16_t cell = 0;          // where the next flit goes in the far end's buffer
  };

  // The first line of the cache, with the first four VCs.
  flit* far_cells = nullptr;
  arrival_wheel* far_arrivals = nullptr;  // nullptr: in another lane
  std::uint64_t flits = 0;                // sent
  std::array<credit_stamp, 2> few{};  // the last credits, by the cycle of their return, as many as
                                      // can be under way; `spare_credits` has them already
  std::uint16_t last_cell = 0;        // of the far end's buffer
  std::uint16_t blocked_vcs = 0;      // without a credit: its return is told
  std::uint8_t cell_stride = 0;       // from cell to cell of a VC
  std::uint8_t latency = 0;
  std::uint8_t last_returning = 0;
  std::uint8_t far_first_channel = 0;
  std::array<vc_state, most_vcs> by_vc{};

  credit_returns* returns = nullptr;
  std::uint64_t absent_eighths = 0;  // of the data of whole flits, that those sent were without
};
static_assert(sizeof(flit_transmitter) == 128);

struct flit_receiver {
  // The front of the VC is gone, the last of a packet or not; its credit goes back. At most one a
  // cycle, whatever the VC.
  void pop(flit_channel& from, int vc, bool is_tail, cycle_t now) const {
    from.first = next_cell(from.first, cell_stride, last_cell);
    if (is_crossing) return crossing->post_credit(vc, now + latency);
    far->take_credit(vc, now + latency);
    if (is_tail) from.first = far->restart_if_empty(vc, from.first);
  }

  flit* cells = nullptr;
  union {
    flit_transmitter* far = nullptr;
    crossing_receiver* crossing;  // if the far end is in another lane
  };
  std::uint16_t last_cell = 0;  // as of the transmitter
  std::uint8_t cell_stride = 0;
  std::uint8_t latency = 0;
  bool is_crossing = false;
};

}  // namespace heddle
