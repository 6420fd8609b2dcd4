// Moves vectors of tokens to experts and back, as their source: cuts them into pieces for the
// planes, sends each piece when it may, and takes the answers.
//
// There are three streams: vectors that are stored at experts (dispatch), sums that are fetched
// (combine), and results that experts of this GPU return to their sources (copies). A piece leaves
// when its port has few enough packets in front of it and without answer, and, where it goes by a
// list of targets, when an SM has room for it in its MultimemQ.
#pragma once

#include <utility>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/vector_piece.hpp"
#include "platform/pool/object_pool.hpp"
#include "platform/time/timed_queue.hpp"

namespace heddle {

class piece_packer;
class layer_run;
struct packed_piece;
class token_dispatch;
class token_results;

class vector_mover final : private hub_part {
 public:
  // `source`: its next own token is dispatched when there is room. `packer` makes the packets.
  // `results` get the sums, and `run` hears when something has been stored.
  vector_mover(hub_core& core, hub_wires& wires, token_dispatch& source, piece_packer& packer,
               token_results& results, layer_run& run);

  void configure();
  // Whether nothing is left to be stored. That sums have been stored is known by the results that
  // they become.
  bool has_stored_all() const { return push_.is_empty() && dispatch_.is_empty(); }

  // They leave with the next pump().
  void dispatch(vector_move move) { dispatch_.moves.push_back(std::move(move)); }
  void fetch(vector_move move) { combine_.moves.push_back(std::move(move)); }
  void push(vector_move move) { push_.moves.push_back(std::move(move)); }
  // Sends what may be sent. Called whenever something has become free; the second: at one port.
  void pump();
  void pump(hub_side& through);

  // A packet of a piece leaves through that side.
  void leaves(const packet& p, const hub_side& through);
  // An answer to no request of the mover fails the layer.
  void take_answer(packet& answer);

 private:
  struct staged_packet {
    packet* leaving = nullptr;
    hub_side* through = nullptr;
    vector_stream* of = nullptr;
  };

  bool may_issue(const vector_stream& from, const hub_side& through) const;
  void issue(vector_stream& from, hub_side& through);
  bool refill(vector_stream& from, const stream_slot& wanted);
  void cut(vector_stream& from, const vector_move& move);
  bool has_room(const vector_stream& from, const stream_slot& own, const planned_piece& next) const;
  void send(vector_piece& sent);
  packed_piece pack(const vector_piece& sent, cause& why);
  void take_staged();
  void fetch_staged() const;
  bool is_expected(const packet& answer) const;
  void complete(vector_piece& done);

  hub_wires& wires_;
  token_dispatch& source_;
  piece_packer& packer_;
  token_results& results_;
  layer_run& run_;
  vector_stream dispatch_, combine_, push_;
  object_pool<vector_piece> pieces_;
  bool is_pumping_ = false, has_refilled_ = false;
  timed_queue<staged_packet> staged_;
};

}  // namespace heddle
