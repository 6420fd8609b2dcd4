// The wave table of one member: entries that hold one wave of its operand each (SCIN 3.4). An entry
// is reserved before its bytes are asked for, so that what returns always has a place.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

#include "transactors/packet/packet.hpp"

namespace heddle {

struct wave;

struct wave_entry {
  wave* of = nullptr;  // nullptr: the entry is IDLE
  std::uint32_t bytes = 0, arrived = 0;
  std::uint32_t scale_bytes = 0, scale_arrived = 0;
  payload_slice data, scale;

  bool is_ready() const { return arrived == bytes && scale_arrived == scale_bytes; }
};

// What the tag of a read says: which entry of the member's table, and where in it.
struct wave_position {
  int entry;
  bool is_scale;
  std::uint32_t offset;

  static constexpr std::uint32_t most_bytes = 1U << 23;
  std::uint32_t tag() const {
    return static_cast<std::uint32_t>(entry) << 24 | static_cast<std::uint32_t>(is_scale) << 23 |
           offset;
  }
  static wave_position of(std::uint32_t tag) {
    return {static_cast<int>(tag >> 24), (tag >> 23 & 1) != 0, tag & (most_bytes - 1)};
  }
};

class wave_table {
 public:
  static constexpr int most_entries = 64;

  // Only while no entry is reserved.
  void resize(int entries) {
    assert(used_ == 0);
    entries_.assign(static_cast<std::size_t>(entries), {});
    free_ = entries == most_entries ? ~std::uint64_t{0} : (std::uint64_t{1} << entries) - 1;
  }
  bool has_free() const { return free_ != 0; }
  int used() const { return used_; }
  wave_entry& at(int entry) { return entries_[static_cast<std::size_t>(entry)]; }

  int reserve(wave& of, std::uint32_t bytes, std::uint32_t scale_bytes) {
    assert(has_free() && "reservation beyond the table");
    const int entry = __builtin_ctzll(free_);
    free_ &= free_ - 1;
    ++used_;
    wave_entry& taken = at(entry);
    taken.of = &of;
    taken.bytes = bytes;
    taken.scale_bytes = scale_bytes;
    taken.arrived = taken.scale_arrived = 0;
    return entry;
  }

  // A read response; returns the entry, which may be ready now.
  wave_entry& store(packet& response) {
    const wave_position position = wave_position::of(response.tag);
    wave_entry& entry = at(position.entry);
    std::uint32_t& arrived = position.is_scale ? entry.scale_arrived : entry.arrived;
    const std::uint32_t wanted = position.is_scale ? entry.scale_bytes : entry.bytes;
    assert(entry.of && arrived + response.payload_bytes <= wanted && "more came than was reserved");
    arrived += response.payload_bytes;
    if (!response.payload) return entry;
    payload_slice& held = position.is_scale ? entry.scale : entry.data;
    if (response.payload_bytes == wanted) {
      held = std::move(response.payload);
      return entry;
    }
    if (!held) held = payload_slice::allocate(wanted);
    std::memcpy(held.data() + position.offset, response.payload.data(), response.payload_bytes);
    return entry;
  }

  void release(int entry) {
    wave_entry& released = at(entry);
    released.of = nullptr;
    released.data.reset();
    released.scale.reset();
    free_ |= std::uint64_t{1} << entry;
    --used_;
  }

 private:
  std::vector<wave_entry> entries_;
  std::uint64_t free_ = 0;
  int used_ = 0;
};

}  // namespace heddle
