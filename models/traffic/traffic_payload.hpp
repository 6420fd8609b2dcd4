// The bytes of a synthetic packet follow from its source and its number, so that a receiver can
// check every one of them without being told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/random/split_mix.hpp"

namespace heddle {

class traffic_payload {
 public:
  traffic_payload(std::uint16_t source, std::uint32_t number)
      : random_(static_cast<std::uint64_t>(source) << 32 | number) {}

  void fill(std::byte* data, std::size_t bytes) {
    visit(bytes, [&](std::size_t at, std::uint64_t word, std::size_t length) {
      std::memcpy(data + at, &word, length);
      return true;
    });
  }

  // Whether all bytes are as they were filled.
  bool matches(const std::byte* data, std::size_t bytes) {
    return visit(bytes, [&](std::size_t at, std::uint64_t word, std::size_t length) {
      return std::memcmp(data + at, &word, length) == 0;
    });
  }

 private:
  // Runs use(offset, word, bytes of it) until one returns false.
  template <class Use>
  bool visit(std::size_t bytes, Use use) {
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t))
      if (!use(at, random_.next(),
               bytes - at < sizeof(std::uint64_t) ? bytes - at : sizeof(std::uint64_t)))
        return false;
    return true;
  }

  split_mix::sequence random_;
};

}  // namespace heddle
