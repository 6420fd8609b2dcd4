// The groups of the persistent kernel, and which tiles of tokens may go on when.
#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/hub/token_hub.hpp"
#include "platform/services/run_control.hpp"
#include "platform/time/time_limits.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t block_side = 128;  // of a thread block's part of the result

std::uint32_t blocks_of(std::uint32_t elements) {
  return (elements + block_side - 1) / block_side;
}

}  // namespace

// Reads what firmware describes, checks it, and builds the tables of the layer. False: the hub has
// refused it.
bool token_hub::configure() {
  if (!read_layer()) {
    layer_ = {};
    return false;
  }
  find_hubs();
  build_tokens();
  build_chunks();
  build_pool();
  build_streams();
  spans_ = {};
  return true;
}

bool token_hub::read_layer() {
  layer_ = {};
  if (!debug(tlm::TLM_READ_COMMAND, regs_.layer.value(), &layer_, sizeof layer_)) return false;
  const bool is_described = is_sensible();
  if (is_described && !read_tables()) return false;
  const bool is_layer = is_described && are_counts_sensible();
  if (!is_layer) fail(error::BAD_LAYER, 0, 0);
  return is_layer;
}

bool token_hub::read_tables() {
  const token_layer& l = layer_;
  lists_.resize(std::size_t{l.tokens} * (1 + l.topk));
  counts_.assign(std::size_t{l.chunks} * l.experts_per_gpu, 0);
  return debug(tlm::TLM_READ_COMMAND, l.lists, lists_.data(),
               lists_.size() * sizeof(std::uint16_t)) &&
         debug(tlm::TLM_READ_COMMAND, l.counts, counts_.data(),
               counts_.size() * sizeof(std::uint32_t));
}

bool token_hub::is_sensible() const {
  constexpr std::uint32_t most_tokens = 1 << 16, most_hidden = 1 << 15, most_ffn = 1 << 20;
  constexpr std::uint64_t most_experts = std::uint64_t{UINT16_MAX} + 1;  // numbers of 16 bits
  const token_layer& l = layer_;
  if (l.gpus < 2 || l.number >= l.gpus || l.experts_per_gpu == 0 || l.tile == 0) return false;
  if (l.tokens == 0 || l.tokens > most_tokens || l.chunks == 0 || l.tokens % l.chunks != 0)
    return false;
  if (l.hidden == 0 || l.hidden > most_hidden || l.ffn == 0 || l.ffn > most_ffn) return false;
  const std::uint64_t experts = std::uint64_t{l.gpus} * l.experts_per_gpu;
  if (experts > most_experts || l.topk > std::min<std::uint64_t>(experts, UINT16_MAX)) return false;
  if (l.tile > most_tokens || !has_sensible_tables()) return false;
  if (l.parts == 0 || l.parts > 2 || l.tokens % l.parts != 0 || l.chunks % l.parts != 0)
    return false;
  if (l.traffic > TOKEN_EVERYBODY || !has_sensible_sms()) return false;
  if (l.gemm1_matrices == 0 || l.gemm1_matrices > 2) return false;
  const bool computes = carries_data_ && l.numerics == TOKEN_GEMM;
  if (computes && l.gemm1_matrices != 1) return false;
  if (l.dispatch_bytes != 2 && (l.dispatch_bytes != 1 || carries_data_)) return false;
  const bool is_simple = l.traffic == TOKEN_MULTICAST && l.chunks == 1 && l.attention_flops == 0;
  if (l.groups > TOKEN_GROUPS_FIRMWARE || (l.groups == TOKEN_GROUPS_FIRMWARE && !is_simple))
    return false;
  const address_window* range = fabric_.find_window(l.range);
  const bool has_switches = range && fabric_.is_inc(range->endpoint);
  if (l.traffic != TOKEN_COPIES && !has_switches) return false;
  for (std::uint32_t gpu = 0; gpu < l.gpus; ++gpu)
    if (!fabric_.find_window(first_base_ + gpu * size_)) return false;
  return true;
}

// The layout manager has an entry for each block and token. Both limits are far above what a layer
// needs, and keep a wrong number from taking all memory of the simulator's host.
bool token_hub::has_sensible_tables() const {
  constexpr std::uint64_t most_blocks = 1 << 20, most_entries = 1 << 30;  // 4 GiB
  const token_layer& l = layer_;
  const std::uint64_t blocks = std::uint64_t{l.chunks} * l.experts_per_gpu;
  const std::uint64_t of_lists = std::uint64_t{l.tokens} * (1 + std::uint64_t{l.topk});
  return blocks <= most_blocks && of_lists <= most_entries &&
         std::uint64_t{l.gpus} * l.tokens * blocks <= most_entries;
}

// GEMM-2 may have no SMs of its own: those of GEMM-1 help. Attention, of at most two parts, must
// end within simulated time; a backward part takes twice as long.
bool token_hub::has_sensible_sms() const {
  constexpr fs_t longest_attention = end_of_time / 4;
  constexpr double backward = 2;
  const token_layer& l = layer_;
  const std::uint64_t of_gemms = std::uint64_t{l.gemm1_sms} + l.gemm2_sms;
  if (l.gemm1_sms == 0 || of_gemms > sms_) return false;
  if (std::max({l.dispatch_sms, l.combine_sms, l.attention_sms}) > sms_) return false;
  if (!has_attention()) return true;
  const auto sms = static_cast<double>(l.attention_sms != 0 ? l.attention_sms : of_gemms);
  const double computing = backward * static_cast<double>(l.attention_flops) /
                           (flops_ * sms / static_cast<double>(sms_));
  const double reading = backward * static_cast<double>(l.attention_bytes) /
                         static_cast<double>(hbm_.bytes_per_second());
  return std::max(computing, reading) <= seconds(longest_attention);
}

// No expert gets more tokens than there are.
bool token_hub::are_counts_sensible() const {
  return std::all_of(counts_.begin(), counts_.end(),
                     [this](std::uint32_t each) { return each <= all_tokens(); });
}

void token_hub::find_hubs() {
  const token_layer& l = layer_;
  endpoints_.clear();
  gpu_of_endpoint_.assign(fabric_.endpoints(), l.gpus);
  for (std::uint32_t gpu = 0; gpu < l.gpus; ++gpu) {
    endpoints_.push_back(fabric_.find_window(first_base_ + gpu * size_)->endpoint);
    gpu_of_endpoint_[endpoints_.back()] = gpu;
  }
  if (const address_window* range = fabric_.find_window(l.range)) range_endpoint_ = range->endpoint;
}

void token_hub::build_tokens() {
  const token_layer& l = layer_;
  std::vector<std::uint16_t> experts_of_token;
  own_.assign(l.tokens, {});
  for (std::uint32_t own = 0; own < l.tokens; ++own) {
    experts_of_token.push_back(static_cast<std::uint16_t>(list_of(own).count));
    own_[own].input = l.inputs + own * bsize(token_stage::dispatch);
    own_[own].result = l.results + own * bsize(token_stage::combine);
  }
  layout_.configure(all_tokens(), counts_);
  tracker_.configure(counts_, l.tile, bsize(token_stage::dispatch), std::move(experts_of_token));
  rows_in_memory_.clear(tracker_.rows());
  groups_.clear(l.groups == TOKEN_GROUPS_FIRMWARE, tracker_.rows(), l.tokens);
  commands_in_.clear();
  pending_.assign(l.traffic == TOKEN_COPIES ? all_tokens() : 0, 0);
  rows_at_work_.clear();
  own_sums_.clear();
  parts_.clear();
  next_token_ = tokens_done_ = rows_done_ = parts_done_ = 0;
}

void token_hub::build_chunks() {
  const token_layer& l = layer_;
  first_place_.clear();
  std::uint64_t places = 0;
  chunks_.assign(l.chunks, {});
  for (std::uint32_t block = 0; block < counts_.size(); ++block) {
    first_place_.push_back(places);
    places += counts_[block];
    chunk_state& chunk = chunks_[block / l.experts_per_gpu];
    chunk.missing += counts_[block] * bsize(token_stage::dispatch);
    chunk.gemm1_left += (counts_[block] + l.tile - 1) / l.tile;
  }
  for (chunk_state& each : chunks_) {
    each.gemm2_left = each.gemm1_left;
    each.tokens_left = l.tokens / l.chunks;
  }
  part_states_.assign(l.parts, {l.tokens / l.parts, false});
}

void token_hub::build_pool() {
  const token_layer& l = layer_;
  pool_.clear();
  const bool shares_sms = l.attention_sms == 0;
  pool_.add_group(l.gemm1_sms, shares_sms ? std::vector{1, attention_group} : std::vector{1});
  pool_.add_group(l.gemm2_sms, shares_sms ? std::vector{0, attention_group} : std::vector{0});
  pool_.add_group(l.attention_sms);
}

void token_hub::build_streams() {
  const token_layer& l = layer_;
  dispatch_ = combine_ = push_ = {};
  for (stream* each : {&dispatch_, &combine_, &push_}) {
    each->slots.resize(sides_.size());
    each->queue_limit = (each == &dispatch_ ? l.dispatch_sms : l.combine_sms) * multimem_queue_;
    each->window = each == &combine_ ? fetch_limit_ : outstanding_limit_;
    // Plain stores need no entry of a MultimemQ.
    each->planned_limit = l.traffic == TOKEN_COPIES
                              ? static_cast<std::uint32_t>(sides_.size()) * queue_limit_
                              : each->queue_limit;
  }
}

// Every GPU learns how many tokens its experts get from each other one.
void token_hub::send_counts() {
  for (std::uint32_t i = 1; i < layer_.gpus; ++i) {
    const std::uint32_t gpu = (layer_.number + i) % layer_.gpus;
    packet& p = *take_packet();
    p.kind = token_notice;
    p.source = endpoint_;
    p.destination = endpoint_of(gpu);
    p.carries_data = false;
    p.payload_bytes = 4 * layer_.experts_per_gpu;
    auto& list = p.header.attach<token_notice_list>();
    list.is_count = true;
    side& through = side_towards(p.destination, gpu * interleave_);
    p.vc = vc_of(through, p);
    p.train = static_cast<std::uint16_t>(format_.packets.packets(p.payload_bytes));
    p.wire_bytes = format_.packets.wire_bytes(p.payload_bytes, p.train);
    p.tail = now_fs();
    counters_.notices += p.train;
    enqueue(through, p);
  }
}

// Counts of GPUs that are ahead may come before this one has started.
void token_hub::begin_if_all_counts() {
  const bool is_started = regs_.status.state.get() == state::BUSY && !is_running_;
  if (!is_started || counts_seen_ < layers_started_ * (layer_.gpus - 1)) return;
  begin_.at(now_fs() + memory_latency_ + hbm_.duration(layout_.table_bytes()));
}

// The tables have been cleared.
void token_hub::begin() {
  is_running_ = true;
  for (chunk_state& each : chunks_) open_gemm1(each);
  begin_part(0);
  if (layer_.overlaps != 0 && layer_.parts > 1) begin_part(1);
  run_commands();
  finish_if_done();
}

void token_hub::row_arrived(std::uint32_t row, fs_t seen) {
  due_rows_.push(polled(seen), {row, token_step::gemm1});
}

void token_hub::take_due_rows() {
  for (due_row due; due_rows_.pop_due(now_fs(), due);) {
    chunk_state& chunk = chunks_[tracker_.block_of(due.row) / layer_.experts_per_gpu];
    const bool is_held =
        due.step == token_step::gemm1 && waits_for_stage(TOKEN_STAGE_GEMM1) && !chunk.is_open;
    if (is_held)
      chunk.held.push_back(due.row);
    else
      row_ready(due.step, due.row);
  }
}

// Where GEMM-1 waits for the whole dispatch: it is done when all own vectors are acknowledged, and
// own experts have all of theirs.
void token_hub::open_gemm1(chunk_state& chunk) {
  if (chunk.is_open || !waits_for_stage(TOKEN_STAGE_GEMM1)) return;
  const bool is_sent = chunk.issued == layer_.tokens / layer_.chunks && chunk.unacknowledged == 0;
  if (!is_sent || chunk.missing > 0) return;
  chunk.is_open = true;
  std::vector<std::uint32_t> rows;
  rows.swap(chunk.held);
  std::sort(rows.begin(), rows.end());
  for (const std::uint32_t row : rows) row_ready(token_step::gemm1, row);
}

void token_hub::submit(token_step step, std::uint32_t row) {
  const bool is_first = step == token_step::gemm1;
  const std::uint32_t expert = tracker_.block_of(row) % layer_.experts_per_gpu;
  sm_batch batch;
  batch.tag = row;
  const std::uint32_t matrices = is_first ? layer_.gemm1_matrices : 1;
  batch.blocks =
      matrices * blocks_of(layer_.tile) * blocks_of(is_first ? layer_.ffn : layer_.hidden);
  const double times = is_backward(part_of_block(tracker_.block_of(row))) ? 2 : 1;
  batch.block_flops = times * 2 * block_side * block_side * (is_first ? layer_.hidden : layer_.ffn);
  batch.operands = 2ULL * expert + (is_first ? 0 : 1);
  batch.operand_bytes = std::uint64_t{matrices} * layer_.hidden * layer_.ffn;  // FP8
  pool_.submit(is_first ? 0 : 1, batch);
}

void token_hub::batch_begins(int group, const sm_batch& batch) {
  if (group == attention_group) return;
  const auto step = group == 0 ? token_step::gemm1 : token_step::gemm2;
  spans_[static_cast<std::size_t>(step)].cover(now_fs());
  if (step != token_step::gemm1) return;
  check_row(batch.tag);
  if (carries_data_) read_row(batch.tag);
}

// Whatever the token tracker says: all of it must be in memory.
void token_hub::check_row(std::uint32_t row) {
  const std::uint64_t bytes = tracker_.tokens_of(row).size() * bsize(token_stage::dispatch);
  if (rows_in_memory_.holds(row, bytes, now_fs())) return;
  sim().service<run_control>().fail(fmt::format(
      "{}: GEMM-1 of row {} begins before memory has acknowledged all of it", path(), row));
}

void token_hub::batch_done(int group, const sm_batch& batch) {
  if (group == attention_group) return attended(batch.tag);
  const auto step = group == 0 ? token_step::gemm1 : token_step::gemm2;
  spans_[static_cast<std::size_t>(step)].cover(now_fs());
  if (step == token_step::gemm1)
    gemm1_done(batch.tag);
  else
    gemm2_done(batch.tag);
}

void token_hub::gemm1_done(std::uint32_t row) {
  chunk_state& chunk = chunks_[tracker_.block_of(row) / layer_.experts_per_gpu];
  --chunk.gemm1_left;
  if (!waits_for_stage(TOKEN_STAGE_GEMM2)) {
    due_rows_.push(polled(now_fs()), {row, token_step::gemm2});
    return;
  }
  chunk.held.push_back(row);
  if (chunk.gemm1_left > 0) return;
  std::vector<std::uint32_t> rows;
  rows.swap(chunk.held);
  for (const std::uint32_t each : rows) due_rows_.push(polled(now_fs()), {each, token_step::gemm2});
}

void token_hub::gemm2_done(std::uint32_t row) {
  if (carries_data_ && !write_row(row)) return;
  tracker_.retire(row);
  ++rows_done_;
  chunk_state& chunk = chunks_[tracker_.block_of(row) / layer_.experts_per_gpu];
  --chunk.gemm2_left;
  if (!waits_for_stage(TOKEN_STAGE_COMBINE)) {
    release_row(row);
  } else {
    chunk.held.push_back(row);
    if (chunk.gemm2_left == 0) {
      std::vector<std::uint32_t> rows;
      rows.swap(chunk.held);
      for (const std::uint32_t each : rows) release_row(each);
    }
  }
  finish_if_done();
}

// Its tokens may go back.
void token_hub::release_row(std::uint32_t row) {
  if (layer_.traffic == TOKEN_COPIES) {
    for (const std::uint32_t token : tracker_.tokens_of(row))
      if (--pending_[token] == 0) part_ready(token);
    return pump();
  }
  std::vector<std::vector<std::uint16_t>> of_gpu(layer_.gpus);
  for (const std::uint32_t token : tracker_.tokens_of(row))
    of_gpu[gpu_of_token(token)].push_back(static_cast<std::uint16_t>(token % layer_.tokens));
  for (std::uint32_t i = 0; i < layer_.gpus; ++i) {
    const std::uint32_t gpu = (layer_.number + i) % layer_.gpus;
    if (gpu != layer_.number)
      notify(gpu, of_gpu[gpu], row);
    else
      for (const std::uint16_t own : of_gpu[gpu]) expert_done(own, endpoint_);
  }
}

void token_hub::notify(std::uint32_t gpu, const std::vector<std::uint16_t>& tokens,
                       std::uint32_t row) {
  constexpr std::size_t most = token_notice_list::most_tokens;
  for (std::size_t first = 0; first < tokens.size(); first += most) {
    packet& p = *take_packet();
    p.kind = token_notice;
    p.source = endpoint_;
    p.destination = endpoint_of(gpu);
    p.carries_data = false;
    p.payload_bytes = format_.packets.flit;
    p.wire_bytes = format_.packets.wire_bytes(p.payload_bytes, 1);
    auto& list = p.header.attach<token_notice_list>();
    for (std::size_t i = first; i < std::min(first + most, tokens.size()); ++i)
      list.tokens.push_back(tokens[i]);
    side& through = side_towards(p.destination, (row + gpu) * interleave_);
    p.vc = vc_of(through, p);
    p.tail = now_fs();
    ++counters_.notices;
    enqueue(through, p);
  }
}

void token_hub::take_notice(packet& notice) {
  const auto& list = *notice.header.as<token_notice_list>();
  if (list.is_count) {
    ++counts_seen_;
    begin_if_all_counts();
  }
  for (const std::uint16_t own : list.tokens) expert_done(own, notice.source);
  give_back(&notice);
}

}  // namespace heddle
