// What a notice from GPU to GPU carries: which tokens of the receiver an expert is done with, or
// how many tokens of the sender its experts get.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "transactors/packet/packet_header.hpp"

namespace heddle {

struct token_notice_list final : pooled_header<token_notice_list> {
  static constexpr std::size_t most_tokens = 8;  // of 16 bits: a flit

  // The last packets with counts of tokens, before the layer; else tokens are done, if any.
  bool is_count = false;
  boost::container::static_vector<std::uint16_t, most_tokens> tokens;  // of the receiver
  std::uint32_t bytes = 0;

  std::uint32_t wire_bytes() const override { return bytes; }
  void clear() {
    is_count = false;
    tokens.clear();
    bytes = 0;
  }
};

}  // namespace heddle
