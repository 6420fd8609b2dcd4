// What only trains and small buffers need; the rest is in packet_port.cpp.
#include "transactors/packet/credit_account.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

void credit_account::grow() {
  const std::uint32_t larger = 2 * capacity;
  auto moved = std::make_unique<credit_return[]>(larger);
  for (std::uint32_t i = 0; i < count; ++i) moved[i] = nth(i);
  many = std::move(moved);
  ring = many.get();
  capacity = larger;
  first = 0;
}

std::uint64_t credit_account::to_come() const {
  std::int64_t bytes = available;
  for (std::uint32_t i = 0; i < count; ++i) bytes += nth(i).bytes;
  return static_cast<std::uint64_t>(bytes);
}

std::int64_t credit_account::by(fs_t time) const {
  std::int64_t bytes = available;
  for (std::uint32_t i = 0; i < count; ++i) bytes += nth(i).by(time);
  return bytes;
}

bool credit_account::lets_start(const packet& candidate, fs_t now) const {
  if (candidate.train == 1) return spread != 0 && by(now) >= candidate.wire_bytes;
  return by(now) >= candidate.wire_bytes / candidate.train && to_come() >= candidate.wire_bytes;
}

fs_t credit_account::start_of(const packet& candidate) const {
  if (candidate.train == 1 && spread == 0) return next_return;
  if (to_come() < candidate.wire_bytes) return fs_never;
  const std::int64_t wanted = candidate.wire_bytes / candidate.train;
  std::int64_t bytes = available;
  fs_t start = fs_never;
  for (std::uint32_t i = 0; i < count && start == fs_never; ++i) {
    const credit_return& next = nth(i);
    if (bytes + next.bytes >= wanted)
      start =
          next.instant_of(static_cast<std::uint32_t>(std::max<std::int64_t>(wanted - bytes, 1)));
    bytes += next.bytes;
  }
  // The credits before those may come back packet by packet, too, and not all of them by then.
  const auto next_packet = [this](fs_t time) {
    fs_t next = fs_never;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t back = nth(i).by(time);
      if (back < nth(i).bytes) next = std::min(next, nth(i).instant_of(back + 1));
    }
    return next;
  };
  while (start != fs_never && by(start) < wanted) start = next_packet(start);
  return start;
}

fs_t credit_account::last_byte(const packet& starting, fs_t now, const bandwidth& rate) const {
  fs_t last = now + rate.duration(starting.bytes_to_tail());
  const fs_t last_packet = rate.duration(starting.wire_bytes / starting.train);
  std::int64_t missing = starting.wire_bytes - available;
  for (std::uint32_t i = 0; i < count && missing > 0; ++i) {
    const credit_return& next = nth(i);
    const auto left = static_cast<std::uint32_t>(missing);
    // Bytes that need these credits are sent after the first of them returns, and the last packet
    // after the last of them returns.
    last = std::max(last, next.first() + rate.duration(std::min(left, starting.bytes_to_tail())));
    last = std::max(last, next.instant_of(std::min(left, next.bytes)) + last_packet);
    missing -= next.bytes;
  }
  return last;
}

}  // namespace heddle
