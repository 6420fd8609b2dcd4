#include "models/gpu/hub/tile_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/hub/firmware_groups.hpp"
#include "models/gpu/hub/layer_run.hpp"
#include "models/gpu/hub/row_return.hpp"

namespace heddle {

tile_schedule::tile_schedule(hub_core& core, token_tracker& tracker, firmware_groups& groups,
                             row_return& returns, layer_run& run)
    : hub_part(core),
      tracker_(tracker),
      groups_(groups),
      returns_(returns),
      run_(run),
      due_(timed_queue<due_row>::to<tile_schedule, &tile_schedule::take_due>(*this)) {}

void tile_schedule::configure() {
  chunks_.assign(layer_.chunks, {});
  rows_done_ = 0;
  for (std::uint32_t block = 0; block < layer_.block_tokens.size(); ++block) {
    const std::uint32_t tokens = layer_.block_tokens[block];
    chunk_state& chunk = chunks_[layer_.chunk_of_block(block)];
    chunk.missing += tokens * layer_.bsize(token_stage::dispatch);
    chunk.gemm1_left += (tokens + layer_.tile - 1) / layer_.tile;
  }
  for (chunk_state& each : chunks_) each.gemm2_left = each.gemm1_left;
}

void tile_schedule::begin() {
  for (chunk_state& each : chunks_) open_gemm1(each);
}

// Dispatch -------------------------------------------------------------------------------------

void tile_schedule::send(std::uint32_t token, std::uint64_t bytes) {
  chunk_of_token(token).unacknowledged += bytes;
}

void tile_schedule::issued(std::uint32_t token) {
  chunk_state& chunk = chunk_of_token(token);
  ++chunk.issued;
  open_gemm1(chunk);
}

void tile_schedule::acknowledged(std::uint32_t token, std::uint32_t bytes) {
  chunk_state& chunk = chunk_of_token(token);
  chunk.unacknowledged -= bytes;
  open_gemm1(chunk);
}

// Rows -----------------------------------------------------------------------------------------

void tile_schedule::stored(std::uint32_t row, std::uint32_t token, std::uint32_t bytes) {
  if (bytes > tracker_.missing(row))
    return status_.fail(
        error::REMOTE, token, 0,
        fmt::format("rank {} sends {} B of token {} to a row that waits for {} B",
                    layer_.gpu_of_token(token), bytes, token, tracker_.missing(row)));
  const token_tracker::update update = tracker_.arrived(row, bytes, now_fs());
  chunk_state& chunk = chunk_of_token(token);
  chunk.missing -= bytes;
  if (update.is_ready) ready(token_step::gemm1, row, settings_.polled(update.seen));
  if (chunk.missing == 0) open_gemm1(chunk);
}

void tile_schedule::take_due() {
  for (due_row due; due_.pop_due(now_fs(), due);) {
    due.why.then(category::completion, site_, now_fs());
    const running_cause seen(due.why);
    chunk_state& chunk = chunk_of_row(due.row);
    const bool is_held = due.step == token_step::gemm1 &&
                         layer_.waits_for_stage(TOKEN_STAGE_GEMM1) && !chunk.is_open;
    if (is_held)
      chunk.held.push_back(due.row);
    else
      groups_.row_ready(due.step, due.row);
  }
}

std::vector<std::uint32_t> tile_schedule::take_held(chunk_state& chunk) {
  std::vector<std::uint32_t> rows;
  rows.swap(chunk.held);
  return rows;
}

// Where GEMM-1 waits for the whole dispatch: it is done when all own vectors are acknowledged, and
// own experts have all of theirs.
void tile_schedule::open_gemm1(chunk_state& chunk) {
  if (chunk.is_open || !layer_.waits_for_stage(TOKEN_STAGE_GEMM1)) return;
  const bool is_sent = chunk.issued == layer_.tokens_of_chunk() && chunk.unacknowledged == 0;
  if (!is_sent || chunk.missing > 0) return;
  chunk.is_open = true;
  std::vector<std::uint32_t> rows = take_held(chunk);
  std::sort(rows.begin(), rows.end());
  for (const std::uint32_t row : rows) groups_.row_ready(token_step::gemm1, row);
}

void tile_schedule::gemm1_done(std::uint32_t row) {
  const fs_t seen = settings_.polled(now_fs());
  chunk_state& chunk = chunk_of_row(row);
  --chunk.gemm1_left;
  if (!layer_.waits_for_stage(TOKEN_STAGE_GEMM2)) return ready(token_step::gemm2, row, seen);
  chunk.held.push_back(row);
  if (chunk.gemm1_left > 0) return;
  for (const std::uint32_t each : take_held(chunk)) ready(token_step::gemm2, each, seen);
}

void tile_schedule::gemm2_done(std::uint32_t row) {
  tracker_.retire(row);
  ++rows_done_;
  chunk_state& chunk = chunk_of_row(row);
  --chunk.gemm2_left;
  if (!layer_.waits_for_stage(TOKEN_STAGE_COMBINE)) {
    returns_.release(row);
  } else {
    chunk.held.push_back(row);
    if (chunk.gemm2_left == 0)
      for (const std::uint32_t each : take_held(chunk)) returns_.release(each);
  }
  run_.finish_if_done();
}

}  // namespace heddle
