// The target side of a hub: what other GPUs store at own experts and fetch from them, and parts of
// results that they return for own tokens. A request is answered when memory is done with it.
//
// Ranks that were told different layers name vectors that this one does not have. Such a request
// fails the layer before any of its numbers is used, and its answer is an error.
#pragma once

#include <cstdint>
#include <string>

#include "models/gpu/hub/expert_blocks.hpp"
#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/hub_wires.hpp"
#include "platform/time/timed_queue.hpp"

namespace heddle {

class row_return;
class tile_schedule;
class token_dispatch;
class token_results;

class token_target final : private hub_part {
 public:
  // `own`: which own tokens have left. `tiles`: of vectors that memory has. `returns`: of experts
  // that a token is at. `results`: of parts for own tokens.
  token_target(hub_core& core, hub_wires& wires, expert_blocks& blocks, const token_dispatch& own,
               tile_schedule& tiles, row_return& returns, token_results& results);

  // A store or a fetch; the request object becomes its answer.
  void serve(hub_side& at, packet& request);
  // A packet that is no part of a layer. It fails the layer; a request is answered with an error.
  void refuse(hub_side& at, packet& stray);

 private:
  // Where the bytes of a request begin.
  struct vector_position {
    std::uint32_t token = 0, offset = 0;
  };
  struct served_packet {
    packet* request = nullptr;
    hub_side* at = nullptr;
    const void* header = nullptr;  // of the request
    vector_position about;
    std::uint32_t first_row = 0;  // of a stored vector: of its first expert
  };

  bool has_list(packet& request);
  bool locate(const packet& request, vector_position& found);
  bool may_name(const packet& request, std::uint32_t token);
  bool fail_request(const packet& request, std::uint64_t token, const std::string& what);
  void serve_store(hub_side& at, packet& request, const vector_position& about);
  void serve_fetch(hub_side& at, packet& request, const vector_position& about);
  void serve_part(hub_side& at, packet& request, const vector_position& about);
  static vector_range range_of(const packet& request, const vector_position& about) {
    return {about.token, about.offset, request.payload_bytes, request.train};
  }
  fs_t write_gathered(const packet& request, fs_t now);
  void push(fs_t done, const served_packet& served);
  void take_served();
  void take_store(const served_packet& served);
  void fetch_served() const;
  void answer(hub_side& at, packet& request, packet_kind kind);

  hub_wires& wires_;
  expert_blocks& blocks_;
  const token_dispatch& own_;
  tile_schedule& tiles_;
  row_return& returns_;
  token_results& results_;
  timed_queue<served_packet> served_;
};

}  // namespace heddle
