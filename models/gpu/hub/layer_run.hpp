// When a layer begins and when it is over. It begins when every GPU has told its counts of tokens
// and the tables are cleared, and ends when all own tokens have their results, own experts have
// served all rows, and others have told that their experts are done with own tokens.
#pragma once

#include <cstdint>

#include "models/gpu/hub/hub_part.hpp"
#include "platform/time/agenda.hpp"

namespace heddle {

class expert_blocks;
class firmware_groups;
class hub_wires;
class layer_parts;
class sm_groups;
class tile_schedule;
class token_combine;
class token_notices;
class token_results;
class token_tracker;
class vector_mover;

class layer_run final : private hub_part {
 public:
  // All that a layer keeps busy.
  struct workers {
    hub_wires& wires;
    token_notices& notices;
    const token_tracker& tracker;
    const expert_blocks& blocks;
    const vector_mover& mover;
    const token_combine& combine;
    const token_results& results;
    tile_schedule& tiles;
    const sm_groups& sms;
    layer_parts& parts;
    firmware_groups& groups;
  };

  layer_run(hub_core& core, const workers& all);

  // The tables are built.
  void start();
  // Another GPU has told how many tokens own experts get. It may be ahead by a layer.
  void count_arrived();
  // Asked whenever something has ended.
  void finish_if_done();

  fs_t started() const { return started_; }
  fs_t finished() const { return finished_; }
  std::uint64_t missing_counts() const {
    return layers_started_ * (layer_.gpus - 1) - counts_seen_;
  }

 private:
  void begin_if_all_counts();
  void begin();
  bool is_done() const;
  void raise_counters();

  const workers all_;
  std::uint64_t layers_started_ = 0, counts_seen_ = 0;
  fs_t started_ = 0, finished_ = 0;
  timed_call begin_;
  cause begin_why_;
};

}  // namespace heddle
