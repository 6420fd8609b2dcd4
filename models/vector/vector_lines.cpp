// Messages in lines (sw/drivers/line.h): the flags are looked at, and only a message that is
// complete is reduced or moved.
#include <algorithm>
#include <cstring>

#include "models/vector/vector.hpp"
#include "sw/drivers/line.h"

namespace heddle {
namespace {

// Counted from 1; 0: none is.
std::uint32_t first_missing(const payload_slice& lines, std::uint32_t data_bytes,
                            std::uint64_t flag) {
  for (std::uint32_t i = 0; i < lines_of(data_bytes); ++i) {
    std::uint64_t found = 0;
    std::memcpy(&found, lines.data() + i * LINE_BYTES + LINE_DATA, sizeof found);
    if (found != flag) return i + 1;
  }
  return 0;
}

payload_slice data_of(const payload_slice& lines, std::uint32_t bytes) {
  payload_slice data = payload_slice::allocate(bytes);
  for (std::uint64_t i = 0; i * LINE_DATA < bytes; ++i)
    std::memcpy(data.data() + i * LINE_DATA, lines.data() + i * LINE_BYTES,
                std::min<std::uint64_t>(LINE_DATA, bytes - i * LINE_DATA));
  return data;
}

}  // namespace

// A message is one block: it is written as a whole or not at all.
bool vector_unit::has_room_for_lines(std::uint64_t bytes) const {
  return lines_of(bytes) <= LINES_OF_MESSAGE && bytes <= block_bytes_;
}

// Flags are always carried, so that the data may stay away and the time remains.
void vector_unit::read_lines(block& next) {
  const auto bytes = static_cast<std::uint32_t>(lines_of(next.bytes) * LINE_BYTES);
  next.operand = payload_slice::allocate(bytes);
  read(next, regs_.source.value(), next.operand, bytes);
  if (work_ != work::reduce) return;
  if (carries_data_) next.result = payload_slice::allocate(next.bytes);
  read(next, regs_.destination.value(), next.result, next.bytes);
}

void vector_unit::take_lines(block& next) {
  missing_ = first_missing(next.operand, next.bytes, regs_.flag.value());
  next.is_incomplete = missing_ != 0;
  if (!carries_data_ || next.is_incomplete) return;
  (work_ == work::reduce ? next.operand : next.result) = data_of(next.operand, next.bytes);
}

}  // namespace heddle
