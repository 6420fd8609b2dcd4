// AXI on the flit plane: every beat of a channel is a flit. The tag says the channel and the
// transaction; the header of an AR or AW fills one payload block, as that of a wide link could.
//
//   wide  AW, W and R of bursts        req  AR of all; AW, W and atomics of single words
//   rsp   B of all, R of single words  (collective NoC 2.1)
#pragma once

#include <cstdint>

#include "platform/number/atomic_operation.hpp"
#include "transactors/flit/flit_payloads.hpp"

namespace heddle {

inline constexpr std::uint64_t narrow_bytes = 8;  // of data in a flit of req and rsp

enum class axi_channel : std::uint8_t { ar, aw, w, b, r };

struct axi_header {
  std::uint64_t address = 0;
  std::uint64_t operand = 0, expected = 0;  // of an atomic
  std::uint32_t bytes = 0;
  bool is_atomic = false;
  atomic_operation operation = atomic_operation::add;
  bool is_wide = false;  // of an AR: R comes on the wide link
};
static_assert(sizeof(axi_header) <= flit_payload_bytes);

// The first word of a B or of a narrow R; CollectB keeps the largest.
inline constexpr std::uint64_t axi_okay = 0, axi_slave_error = 2, axi_decode_error = 3;

struct axi_tag {
  static constexpr int channel_position = 29;
  static constexpr std::uint32_t reduction_bit = 1U << 28, word_bit = 1U << 27;

  static std::uint32_t of(axi_channel channel, std::uint32_t transaction) {
    return static_cast<std::uint32_t>(channel) << channel_position | transaction;
  }
  static axi_channel channel(std::uint32_t tag) {
    return static_cast<axi_channel>(tag >> channel_position);
  }
  static std::uint32_t transaction(std::uint32_t tag) {
    return tag & ((1U << channel_position) - 1);
  }
  // Members of a reduction agree on the tag because they write to the same address; a word and a
  // burst to the same address are two reductions.
  static std::uint32_t of_reduction(std::uint64_t address, bool is_word) {
    return reduction_bit | (is_word ? word_bit : 0) |
           (static_cast<std::uint32_t>(address >> 3) & (word_bit - 1));
  }
  // What a reduction's tag has kept of the address.
  static constexpr std::uint64_t low_address_mask = (std::uint64_t{word_bit} << 3) - 1;
  static std::uint64_t low_address(std::uint32_t transaction) {
    return std::uint64_t{transaction & (word_bit - 1)} << 3;
  }
  static bool is_reduction(std::uint32_t transaction) { return transaction & reduction_bit; }
};

}  // namespace heddle
