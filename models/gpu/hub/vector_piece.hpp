// Vectors that a hub moves, and the pieces in which they go through its ports.
//
// A piece is a train of packets of one vector. It exists from when its port is known until
// everything that it asks for has been answered.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/gpu/hub/hub_wires.hpp"
#include "transactors/tokens/token_packets.hpp"

namespace heddle {

// A vector that is to be stored or fetched.
struct vector_move {
  static constexpr int by_switch = -1;

  packet_kind kind = token_store;
  token_stage stage = token_stage::dispatch;
  bool is_for_all = false;
  std::uint32_t token = 0;  // numbered over all GPUs
  int gpu = by_switch;      // to which it goes directly
  target_list::experts_type experts;

  bool has_list() const { return gpu == by_switch; }
};

struct vector_stream;

// What an answer asks for lies in the first cache line.
struct alignas(64) vector_piece {
  vector_stream* of = nullptr;
  hub_side* through = nullptr;
  std::uint32_t offset = 0, bytes = 0, packets = 0;
  std::uint32_t missing = 0;  // targets that no answer has covered
  std::uint64_t address = 0;
  endpoint_id to = 0;
  bool is_under_way = false;  // its packet has been made, and answers are missing
  vector_move whole;
  std::vector<float> sum;
  std::uint32_t pool_index = 0;
  void clear() {
    sum.clear();
    is_under_way = false;
  }
};

struct planned_piece {
  vector_piece* what = nullptr;
  std::uint32_t packets = 0;  // of it: asked more often than it is sent
  bool has_list = false;
};

// Pieces of a stream that leave through one port. A port that is full holds up no other, and what
// the port has to answer others does not count: requests and answers have channels of their own.
struct stream_slot {
  std::deque<planned_piece> planned;
  std::uint32_t waiting = 0;     // packets for their list, or in front of the port
  std::uint32_t unanswered = 0;  // packets
};

// What dispatch, combine, and sending results back have to move.
struct vector_stream {
  std::deque<vector_move> moves;                 // not in pieces yet
  std::vector<stream_slot> slots;                // by side
  std::uint32_t planned = 0, planned_limit = 0;  // packets in slots that have not left them
  std::uint32_t queued = 0, queue_limit = 0;     // packets that wait for their list
  std::uint32_t window = 0;                      // packets of a slot without answer
  std::uint64_t pending = 0;                     // pieces in slots or without answer
  bool is_empty() const { return moves.empty() && pending == 0; }
};

}  // namespace heddle
