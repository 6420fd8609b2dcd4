// The blocks of own experts in memory: the layout manager gives each token its place in them, and
// vectors are stored there and read from there.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/layout_manager.hpp"
#include "models/gpu/hub/row_check.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "transactors/packet/payload.hpp"
#include "transactors/tokens/token_packets.hpp"

namespace heddle {

// Bytes of a token's vector.
struct vector_range {
  std::uint32_t token = 0, offset = 0, bytes = 0;
  std::uint32_t packets = 1;  // in which they came, or go
};

// A vector, or a range of it, in an expert's block.
struct placed_vector {
  fs_t done = 0;  // memory has acknowledged it
  std::uint32_t row = 0;
  layer_status::error wrong = layer_status::error::NONE;
};

class expert_blocks final : private hub_part {
 public:
  // The tracker is told which tokens are in a row.
  expert_blocks(hub_core& core, const layout_timing& timing, token_tracker& tracker)
      : hub_part(core), layout_(timing), tracker_(tracker) {}

  void configure();
  std::uint64_t table_bytes() const { return layout_.table_bytes(); }

  // At the token's place, which is allocated at its first bytes. An error has failed the layer.
  placed_vector store(std::uint16_t expert, const vector_range& what, const payload_slice& data,
                      fs_t now);
  // Adds what experts have for the token, and returns when that is done; fs_never where one has
  // nothing, or memory refuses, which has failed the layer.
  fs_t add(const target_list::experts_type& experts, const vector_range& what,
           std::vector<float>& sum, fs_t now);

  // The row of the token in the expert's block. The token has a place there.
  std::uint32_t row_of(std::uint16_t expert, std::uint32_t token) const;
  bool has_place(std::uint32_t expert, std::uint32_t token) const;
  // Memory has acknowledged all vectors of the row, whatever the token tracker says.
  bool has_all_of(std::uint32_t row, fs_t now) const;

 private:
  translation translate(std::uint32_t block, const vector_range& what, bool allocates, fs_t now);

  layout_manager layout_;
  token_tracker& tracker_;
  row_check rows_in_memory_;
};

}  // namespace heddle
