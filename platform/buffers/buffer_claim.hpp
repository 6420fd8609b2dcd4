// A part of memory that an engine owns for a while: its descriptors, what it reads, what it writes.
// Firmware that touches it meanwhile races with the engine.
#pragma once

#include <cstdint>
#include <string>

#include "platform/contracts/access_origin.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

enum class buffer_use : std::uint8_t { descriptor, source, destination };

struct buffer_claim {
  std::uint64_t first = 0, last = 0;  // offsets in the memory, both included
  buffer_use use = buffer_use::source;
  const std::string* engine = nullptr;  // its path, which also tells engines apart
  std::uint64_t work = 0;               // what it is for: descriptors of a channel are numbered
  int channel = -1;                     // -1: the engine has one operation at a time
  // The access of firmware that started the work.
  const access_initiator* starter = nullptr;
  code_point started_at;
  fs_t since = 0;

  // Descriptors are named by their number on a channel.
  static std::uint64_t work_of(int channel, std::uint32_t number) {
    return static_cast<std::uint64_t>(channel) << 32 | number;
  }
  bool overlaps(std::uint64_t begin, std::uint64_t end) const {
    return first <= end && begin <= last;
  }
  // "source of descriptor 3 of channel 2, since 1.2 us, started at sw/drivers/dma.c:57 in ..."
  std::string text() const;
};

}  // namespace heddle
