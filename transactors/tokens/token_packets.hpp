// Packets of dynamic multimem (DySHARP III-B): stores and loads of whole or partial token vectors,
// which carry one address and a list of target experts.
//
//   store   vector data, to all targets; each target GPU acknowledges, the switch does once for all
//   fetch   asks all targets for their vectors; the switch adds them and answers with the sum
//   notice  which tokens of the receiver are ready, or how many come: from GPU to GPU
//
// The address is algebraic: token number times vector bytes; each GPU translates it by itself.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "transactors/packet/packet_format.hpp"
#include "transactors/packet/packet_header.hpp"
#include "transactors/packet/packet_kind.hpp"

namespace heddle {

extern const packet_kind token_store, token_ack, token_fetch, token_sum, token_notice;

enum class token_stage : std::uint8_t { dispatch, combine };

struct alignas(64) target_list final : pooled_header<target_list> {
  using experts_type = boost::container::small_vector<std::uint16_t, 8>;

  token_stage stage = token_stage::dispatch;
  bool is_for_all = false;    // a copy to every GPU, with or without targets there (NVLS)
  std::uint32_t covered = 0;  // of an answer: targets that it is for
  std::uint32_t bytes = 0;    // of extension flits, of the whole train
  experts_type experts;

  std::uint32_t wire_bytes() const override { return bytes; }
  void clear() {
    experts.clear();
    stage = token_stage::dispatch;
    is_for_all = false;
    covered = bytes = 0;
  }
};

// How targets are named on the wire.
enum class target_addressing : std::uint8_t {
  dynamic,           // extension flits of eight experts; a single target of a copy needs none
  explicit_targets,  // an address flit for each target, also in the answer to the source
};

struct token_format {
  packet_format packets;
  target_addressing addressing = target_addressing::dynamic;

  // Between the source and the switch, or from there on.
  enum class leg : std::uint8_t { source, copy };

  // Bytes that the list of targets adds to the header and the payload of a whole train.
  std::uint32_t extension_bytes(std::uint32_t train, std::size_t targets, leg where) const {
    constexpr std::uint32_t targets_of_flit = 8;
    const auto count = static_cast<std::uint32_t>(targets);
    if (count == 0 || (count == 1 && where == leg::copy)) return 0;
    const std::uint32_t flits = addressing == target_addressing::dynamic
                                    ? (count + targets_of_flit - 1) / targets_of_flit
                                    : count - 1;
    return train * flits * packets.flit;
  }
  // The same for the answer to the source.
  std::uint32_t answer_extension_bytes(std::uint32_t train, std::size_t targets) const {
    if (addressing == target_addressing::dynamic || targets == 0) return 0;
    return train * static_cast<std::uint32_t>(targets - 1) * packets.flit;
  }
};

}  // namespace heddle
