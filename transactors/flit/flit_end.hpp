// What a flit touches at the ends of a link. A mesh does not fit the first cache, so the names,
// parameters and results of a port are elsewhere (flit_port.hpp), and what a transmitter has to
// know of the far end is copied here when the two are joined.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "transactors/flit/arrival_wheel.hpp"
#include "transactors/flit/flit.hpp"

namespace heddle {

// The receive buffer of a VC: a ring of cells that are as many apart as there are VCs. It starts
// anew at the first whenever it is empty, so a mesh with little traffic touches little memory. The
// other fields belong to the unit that receives.
struct flit_channel {
  std::uint16_t first = 0;
  std::uint16_t end = 0;     // where the far end puts the next flit
  std::uint16_t more = 0;    // flits behind the first that have arrived
  std::uint16_t claims = 0;  // input and output of the packet in turn, a bit each (modulo 8)
  std::uint8_t port = 0;
  std::uint8_t vc = 0;
  std::uint8_t output = 0;     // of the packet in turn
  std::uint8_t output_vc = 0;  // the same
  std::uint32_t routed = 0;    // when its head was handled: low bits of the cycle
};
static_assert(sizeof(flit_channel) == 16);

// Of a unit with many channels: which of them waits for a credit of which VC of a port. A bit a
// channel of the wheels says in which cycle the credit is back, once for each wait.
struct credit_waiters {
  arrival_wheel* wheels = nullptr;             // by channel / 64
  std::array<std::uint16_t, 16> channel_of{};  // by VC

  void tell(int vc, cycle_t arrival) const {
    wheels[channel_of[vc] / 64].deliver(arrival, channel_of[vc] % 64, false);
  }
};

// Cells that are `vcs` apart.
inline std::uint16_t next_cell(std::uint16_t cell, std::uint8_t vcs, std::uint16_t last) {
  const int next = cell + vcs;
  return static_cast<std::uint16_t>(next <= last ? next : next - last - 1);
}

struct alignas(64) flit_transmitter {
  static constexpr int most_vcs = 16;
  static constexpr int vc_bits = 4;  // of a stamp; the cycle is above them
  using stamp = std::uint64_t;

  // Whether the VC has a credit. Nobody is woken when it has none.
  bool has_credit(int vc, cycle_t now) const {
    if (spare_credits[vc] >= 0) return true;
    int left = spare_credits[vc] + most_under_way();
    const stamp* const stamps = last_returning < few.size() ? few.data() : many;
    for (int i = 0; i <= last_returning; ++i) left -= is_under_way(stamps[i], vc, now);
    return left > 0;
  }
  // No more than one a cycle can be under way. A VC may send with more.
  int most_under_way() const { return latency + 1; }
  static bool is_under_way(stamp credit, int vc, cycle_t now) {
    return (credit >> vc_bits > now) & (static_cast<int>(credit & (most_vcs - 1)) == vc);
  }

  // Has `waiters` told when the VC's next credit is back. It has none in that cycle.
  void await_credit(int vc, std::uint16_t channel, cycle_t cycle) {
    waiters->channel_of[vc] = channel;
    const stamp* const stamps = last_returning < few.size() ? few.data() : many;
    cycle_t next = UINT64_MAX;
    for (int i = 0; i <= last_returning; ++i)
      if (is_under_way(stamps[i], vc, cycle)) next = std::min(next, stamps[i] >> vc_bits);
    if (next == UINT64_MAX)
      blocked_vcs = static_cast<std::uint16_t>(blocked_vcs | 1U << vc);
    else
      waiters->tell(vc, next);
  }

  // Credits of the VC wake nobody from now on.
  void unblock(int vc) { blocked_vcs = static_cast<std::uint16_t>(blocked_vcs & ~(1U << vc)); }

  // Takes a credit of the VC that the flit leaves on. It is on the wire from `departure` >= now on.
  void send(const flit& sent, int vc, cycle_t departure) {
    --spare_credits[vc];
    ++flits;
    if (sent.absent) absent_eighths += sent.absent;
    flit_channel& to = far_channels[vc];
    far_cells[to.end] = sent;
    to.end = next_cell(to.end, vcs, last_cell);
    far_arrivals->deliver(departure + latency, far_first_channel + vc, sent.is_head());
  }

  void take_back(int vc, cycle_t arrival) {
    ++spare_credits[vc];
    stamp* const stamps = last_returning < few.size() ? few.data() : many;
    stamps[arrival & last_returning] = arrival << vc_bits | static_cast<stamp>(vc);
    if (blocked_vcs >> vc & 1) tell(vc, arrival);
  }

  void tell(int vc, cycle_t arrival) {
    if (!waiters) return owner->wake(arrival);
    unblock(vc);
    waiters->tell(vc, arrival);
  }

  // The first line of the cache.
  flit* far_cells = nullptr;
  flit_channel* far_channels = nullptr;
  arrival_wheel* far_arrivals = nullptr;
  std::uint64_t flits = 0;      // sent
  std::array<stamp, 2> few{};   // the last credits, by the cycle of their return, as many as can be
                                // under way; they are part of `spare_credits` already
  std::uint16_t last_cell = 0;  // vcs * buffer - 1
  std::uint16_t blocked_vcs = 0;  // without a credit: its return is told
  std::uint8_t latency = 0;
  std::uint8_t last_returning = 0;
  std::uint8_t vcs = 0;
  std::uint8_t far_first_channel = 0;
  // Credits above most_under_way(). The first four are in the line.
  std::array<std::int16_t, most_vcs> spare_credits{};

  stamp* many = nullptr;                // instead of `few`, if the link is long
  const clock_member* owner = nullptr;  // who waits for credits, each of which wakes it
  credit_waiters* waiters = nullptr;    // instead, if there are any
  std::uint64_t absent_eighths = 0;     // of the data of whole flits, that those sent were without
};
static_assert(sizeof(flit_transmitter) == 128);

struct flit_receiver {
  // The front of the VC is gone; its credit goes back. At most one a cycle, whatever the VC.
  void pop(flit_channel& from, int vc, cycle_t now) const {
    const std::uint16_t next = next_cell(from.first, vcs, last_cell);
    const int back = next == from.end ? next - vc : 0;  // to the first cell of the ring
    from.first = static_cast<std::uint16_t>(next - back);
    from.end = static_cast<std::uint16_t>(from.end - back);
    far->take_back(vc, now + latency);
  }

  flit* cells = nullptr;
  flit_transmitter* far = nullptr;
  std::uint16_t last_cell = 0;  // as of the transmitter
  std::uint8_t vcs = 0;
  std::uint8_t latency = 0;
};

}  // namespace heddle
