// What a write request carries behind its data: a word that is written once the data is there.
#pragma once

#include "transactors/memory/extensions.hpp"
#include "transactors/packet/packet_header.hpp"

namespace heddle {

struct word_header final : pooled_header<word_header> {
  static constexpr std::uint32_t bytes = 16;  // address and value
  word_behind word;
  std::uint32_t wire_bytes() const override { return bytes; }
  void clear() {}
};

}  // namespace heddle
