// The credits of one virtual channel at its transmitter: what is here, and what is on its way back.
//
// A train needs a credit for its first packet to start, and the others by the time when they go: it
// may be longer than what is here, as long as it is known when the rest comes. So it leaves when
// its packets would one by one, and as fast.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "platform/time/bandwidth.hpp"
#include "platform/time/fs_time.hpp"
#include "transactors/packet/credit_return.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

// Two cache lines, of which every packet asks for its own: where there are only a few credits on
// their way, they lie in the first one.
struct alignas(64) credit_account {
  static constexpr std::uint32_t few_returns = 4;

  void push(const credit_return& item);
  void collect(fs_t now);
  // Whether the packet may start with what is here and on its way, besides `available`.
  bool lets_start(const packet& candidate, fs_t now) const;
  // When a packet that may not start yet can, by what is known; fs_never: more has to come back.
  fs_t start_of(const packet& candidate) const;
  // When the last byte of a packet that starts at `now` leaves: not before its credits are there.
  fs_t last_byte(const packet& starting, fs_t now, const bandwidth& rate) const;
  // Credits that are here or on their way back.
  std::uint64_t to_come() const;
  credit_return& nth(std::uint32_t i) const { return ring[(first + i) & (capacity - 1)]; }

  std::array<credit_return, few_returns> few{};
  std::int64_t available = 0;     // less than 0: a train has started with credits that will come
  fs_t next_return = fs_never;    // of the oldest: most questions need not look into the ring
  fs_t refused_at = fs_never;     // since when its next packet waits for credits
  fs_t starved_since = fs_never;  // since when each of its packets had to wait for them
  credit_return* ring = few.data();
  std::uint32_t capacity = few_returns;  // of the ring: a power of two
  std::uint32_t first = 0, count = 0;
  std::uint32_t spread = 0;               // how many in the ring come back packet by packet
  std::unique_ptr<credit_return[]> many;  // the ring, once the few were not enough

 private:
  void grow();
  std::int64_t by(fs_t time) const;
};

}  // namespace heddle
