// Makes the packet of a piece: its header with the list of targets, and what it carries, which is
// read from memory. A piece of an own token's vector comes from the token's input, one of a result
// that goes back to its source from the blocks of own experts.
#pragma once

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/vector_piece.hpp"

namespace heddle {

class expert_blocks;
class token_dispatch;

struct packed_piece {
  packet* leaving = nullptr;  // nullptr: the layer has failed, and there is nothing to carry
  fs_t ready = 0;             // its list and what it carries are there
};

class piece_packer final : private hub_part {
 public:
  piece_packer(hub_core& core, const hub_wires& wires, const token_dispatch& source,
               expert_blocks& blocks)
      : hub_part(core), wires_(wires), source_(source), blocks_(blocks) {}

  packed_piece pack(const vector_piece& sent);

 private:
  packet& packet_of(const vector_piece& sent) const;
  fs_t fill(packet& p, const vector_piece& sent);
  fs_t fill_from_input(packet& p, const vector_piece& sent);
  fs_t fill_from_experts(packet& p, const vector_piece& sent);
  void count(const vector_piece& sent);

  const hub_wires& wires_;
  const token_dispatch& source_;
  expert_blocks& blocks_;
};

}  // namespace heddle
