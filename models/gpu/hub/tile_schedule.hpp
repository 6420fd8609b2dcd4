// Which row of tokens may go on when: to GEMM-1, from there to GEMM-2, and back to the tokens'
// sources. A row goes as soon as it is ready, or waits until its whole chunk has done the step
// before, as the layer says. Kernels poll, so they see what is ready a little later.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "platform/time/timed_queue.hpp"

namespace heddle {

class firmware_groups;
class layer_run;
class row_return;

class tile_schedule final : private hub_part {
 public:
  // `groups` get rows that may be multiplied, `returns` those that are done.
  tile_schedule(hub_core& core, token_tracker& tracker, firmware_groups& groups,
                row_return& returns, layer_run& run);

  void configure();
  // The tables of the layer are there.
  void begin();
  std::uint32_t rows_done() const { return rows_done_; }

  // Dispatch of own tokens: so many bytes of one are sent to targets; that was all of it; all
  // targets have acknowledged so many bytes.
  void send(std::uint32_t token, std::uint64_t bytes);
  void issued(std::uint32_t token);
  void acknowledged(std::uint32_t token, std::uint32_t bytes);

  // Memory has acknowledged bytes of a token in a row of own experts: only now kernels may know.
  void stored(std::uint32_t row, std::uint32_t token, std::uint32_t bytes);
  void gemm1_done(std::uint32_t row);
  void gemm2_done(std::uint32_t row);

 private:
  struct due_row {
    std::uint32_t row = 0;
    token_step step = token_step::gemm1;
    cause why;
  };
  struct chunk_state {
    std::uint32_t issued = 0;                      // own tokens whose stores are on their way
    std::uint64_t unacknowledged = 0;              // bytes of what they send
    std::uint64_t missing = 0;                     // bytes that own experts do not have yet
    std::uint32_t gemm1_left = 0, gemm2_left = 0;  // rows
    bool is_open = false;                          // GEMM-1 of its rows may start
    std::vector<std::uint32_t> held;               // rows that wait for the stage
  };

  chunk_state& chunk_of_token(std::uint32_t token) { return chunks_[layer_.chunk_of(token)]; }
  chunk_state& chunk_of_row(std::uint32_t row) {
    return chunks_[layer_.chunk_of_block(tracker_.block_of(row))];
  }
  static std::vector<std::uint32_t> take_held(chunk_state& chunk);
  void open_gemm1(chunk_state& chunk);
  // Kernels see that the row is ready at `seen`.
  void ready(token_step step, std::uint32_t row, fs_t seen) {
    due_.push(seen, {row, step, running_cause::copy()});
  }
  void take_due();

  token_tracker& tracker_;
  firmware_groups& groups_;
  row_return& returns_;
  layer_run& run_;
  std::vector<chunk_state> chunks_;
  std::uint32_t rows_done_ = 0;
  timed_queue<due_row> due_;
};

}  // namespace heddle
