// The target side: what others store at own experts and fetch from them.
#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/hub/expert_math.hpp"
#include "models/gpu/hub/token_hub.hpp"
#include "platform/tensor/convert.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

void token_hub::serve(side& at, packet& request) {
  const bool is_fetch = request.kind == token_fetch;
  vector_position about;
  if (!locate(request, about)) {
    request.is_error = true;
    return answer(at, request, is_fetch ? token_sum : token_ack,
                  is_fetch ? request.payload_bytes : 0);
  }
  if (is_fetch) return serve_fetch(at, request, about);
  const bool is_vector = request.header.as<target_list>()->stage == token_stage::dispatch;
  is_vector ? serve_store(at, request, about) : serve_part(at, request, about);
}

// Ranks that were told different layers name vectors that this one does not have. False: such a
// request has failed the layer, and none of its numbers may be used.
bool token_hub::locate(const packet& request, vector_position& found) {
  const bool is_fetch = request.kind == token_fetch;
  const std::uint64_t vector_bytes =
      bsize(is_fetch ? token_stage::combine : request.header.as<target_list>()->stage);
  if (vector_bytes == 0) return fail_request(request, 0, "names a vector before there is a layer");
  const std::uint64_t from_range = request.address - layer_.range;
  const std::uint64_t token = from_range / vector_bytes, offset = from_range % vector_bytes;
  if (token >= all_tokens())
    return fail_request(request, token, fmt::format("names token {} of {}", token, all_tokens()));
  if (offset + request.payload_bytes > vector_bytes)
    return fail_request(request, token,
                        fmt::format("names {} B of token {}, whose vector has {} B",
                                    offset + request.payload_bytes, token, vector_bytes));
  found = {static_cast<std::uint32_t>(token), static_cast<std::uint32_t>(offset)};
  return may_name(request, found.token);
}

// Vectors are stored and fetched by the GPU whose tokens they are; parts of a sum come to it.
bool token_hub::may_name(const packet& request, std::uint32_t token) {
  const bool is_part = request.kind == token_store &&
                       request.header.as<target_list>()->stage == token_stage::combine;
  const std::uint32_t sender = rank_of(request.source), owner = gpu_of_token(token);
  if (is_part && (layer_.traffic != TOKEN_COPIES || !has_dispatched(token - first_token())))
    return fail_request(request, token,
                        fmt::format("returns a part of token {}, which rank {} has not sent it",
                                    token, layer_.number));
  if (!is_part && sender < layer_.gpus && sender != owner)
    return fail_request(request, token,
                        fmt::format("names token {}, which is one of rank {}", token, owner));
  return true;
}

bool token_hub::fail_request(const packet& request, std::uint64_t token, const std::string& what) {
  fail(error::REMOTE, static_cast<std::uint32_t>(token), 0,
       fmt::format("{} {}", sender_name(request.source), what));
  return false;
}

translation token_hub::translate(std::uint32_t block, std::uint32_t token, bool allocates,
                                 std::uint32_t packets, fs_t now) {
  const translation found = layout_.translate(block, token, allocates, packets, now);
  counters_.tlb_packets += packets;
  counters_.tlb_packet_hits += found.hits;
  ++counters_.tlb_vectors;
  if (found.hits == packets) ++counters_.tlb_vector_hits;
  return found;
}

// Into the expert's block, at the token's place there.
token_hub::placed_vector token_hub::store_for(std::uint16_t expert, std::uint32_t token,
                                              std::uint32_t offset, const payload_slice& data,
                                              std::uint32_t bytes, std::uint32_t packets,
                                              fs_t now) {
  const std::uint32_t block = block_of(expert, token);
  const translation at = translate(block, token, true, packets, now);
  placed_vector result{at.ready, 0, error::NONE};
  if (at.error != layout_error::none) {
    result.wrong = at.error == layout_error::overflow ? error::OVERFLOW : error::EXPERT;
    fail(result.wrong, token, expert);
    return result;
  }
  if (at.is_new) tracker_.enter(block, at.place, token);
  const fs_t done =
      access(tlm::TLM_WRITE_COMMAND, vector_at(token_stage::dispatch, block, at.place) + offset,
             data, bytes, at.ready);
  if (done == fs_never) {
    result.wrong = error::BUS;
    return result;
  }
  result.done = done;
  result.row = tracker_.row_of(block, at.place);
  rows_in_memory_.write(result.row, bytes, result.done);
  return result;
}

void token_hub::serve_store(side& at, packet& request, const vector_position& about) {
  const auto& list = *request.header.as<target_list>();
  const fs_t now = now_fs();
  served_packet served{&request, &at, &list, about, 0};
  fs_t done = now;
  bool is_wrong = false;
  for (const std::uint16_t& expert : list.experts) {
    const placed_vector placed = store_for(expert, about.token, about.offset, request.payload,
                                           request.payload_bytes, request.train, now);
    if (&expert == list.experts.data()) served.first_row = placed.row;
    done = std::max(done, placed.done);
    is_wrong |= placed.wrong != error::NONE;
  }
  if (layer_.traffic == TOKEN_COPIES && !is_wrong)
    pending_[about.token] = static_cast<std::uint16_t>(list.experts.size());
  if (list.is_for_all && list.experts.empty()) {
    const std::uint64_t to = layer_.gathered + (request.address - layer_.range);
    done = access(tlm::TLM_WRITE_COMMAND, to, {}, request.payload_bytes, now);
    is_wrong = done == fs_never;
  }
  request.is_error = is_wrong;
  counters_.served_stores += request.train;
  counters_.dispatch_in += request.payload_bytes;
  served_.push(done == fs_never ? now : done, served);
}

std::uint32_t token_hub::row_of(std::uint16_t expert, std::uint32_t token) const {
  const std::uint32_t block = block_of(expert, token);
  return tracker_.row_of(block, layout_.look_up(block, token).place);
}

// Memory has acknowledged: only now kernels may know.
void token_hub::stored(std::uint32_t row, std::uint32_t token, std::uint32_t bytes) {
  if (bytes > tracker_.missing(row))
    return fail(error::REMOTE, token, 0,
                fmt::format("rank {} sends {} B of token {} to a row that waits for {} B",
                            gpu_of_token(token), bytes, token, tracker_.missing(row)));
  const token_tracker::update update = tracker_.arrived(row, bytes, now_fs());
  chunk_state& chunk = chunks_[chunk_of(token)];
  chunk.missing -= bytes;
  if (update.is_ready) row_arrived(row, update.seen);
  if (chunk.missing == 0) open_gemm1(chunk);
}

void token_hub::serve_fetch(side& at, packet& request, const vector_position& about) {
  const auto& list = *request.header.as<target_list>();
  std::vector<float> sum;
  const fs_t done = add_own(list.experts, about.token, about.offset, request.payload_bytes,
                            request.train, sum, now_fs());
  request.is_error = done == fs_never;
  if (carries_data_ && !request.is_error) {
    sum.resize(request.payload_bytes / size_of(dtype::bf16));  // zeros of whom it has nothing for
    request.payload = payload_slice::allocate(request.payload_bytes);
    narrow(dtype::bf16, sum.data(), request.payload.data(), sum.size());
  }
  counters_.served_fetches += request.train;
  counters_.combine_out += request.payload_bytes;
  served_.push(request.is_error ? now_fs() : done, {&request, &at, &list, about, 0});
}

fs_t token_hub::add_own(const target_list::experts_type& experts, std::uint32_t token,
                        std::uint32_t offset, std::uint32_t bytes, std::uint32_t packets,
                        std::vector<float>& sum, fs_t now) {
  fs_t done = now;
  if (carries_data_) sum.assign(bytes / size_of(dtype::bf16), 0.0F);
  for (const std::uint16_t expert : experts) {
    const std::uint32_t block = block_of(expert, token);
    const translation at = translate(block, token, false, packets, now);
    if (at.error != layout_error::none) {
      fail(error::UNMAPPED, token, expert);
      return fs_never;
    }
    payload_slice data;
    if (carries_data_) data = payload_slice::allocate(bytes);
    const std::uint64_t from = vector_at(token_stage::combine, block, at.place) + offset;
    const fs_t read = access(tlm::TLM_READ_COMMAND, from, data, bytes, at.ready);
    if (read == fs_never) return fs_never;
    done = std::max(done, read);
    if (carries_data_) add_vector(data.data(), sum);
  }
  return done;
}

// A part of an own token's result, from the experts of one GPU (copies).
void token_hub::serve_part(side& at, packet& request, const vector_position& about) {
  counters_.combine_in += request.payload_bytes;
  const fs_t done = access(tlm::TLM_WRITE_COMMAND, layer_.gathered + request.address - layer_.range,
                           {}, request.payload_bytes, now_fs());
  request.is_error = done == fs_never;
  served_.push(request.is_error ? now_fs() : done,
               {&request, &at, request.header.address(), about, 0});
}

void token_hub::fetch_served() const {
  const served_packet* next = served_.next();
  if (!next) return;
  __builtin_prefetch(next->request);
  __builtin_prefetch(next->header);
}

void token_hub::take_served() {
  for (served_packet due; served_.pop_due(now_fs(), due);) {
    packet& request = *due.request;
    if (request.kind == token_fetch) {
      answer(*due.at, request, token_sum, request.payload_bytes);
      continue;
    }
    if (!request.is_error) take_store(due);
    answer(*due.at, request, token_ack, 0);
  }
}

void token_hub::take_store(const served_packet& served) {
  const packet& request = *served.request;
  const auto& list = *request.header.as<target_list>();
  const auto [token, offset] = served.about;
  const std::uint32_t bytes = request.payload_bytes;
  if (list.stage == token_stage::combine)
    return take_part(token - first_token(), rank_of(request.source), offset, request.payload,
                     bytes);
  for (const std::uint16_t& expert : list.experts)
    stored(&expert == list.experts.data() ? served.first_row : row_of(expert, token), token, bytes);
}

// The same object goes back, through the port where it came in.
void token_hub::answer(side& at, packet& request, packet_kind kind, std::uint32_t payload_bytes) {
  const fs_t now = now_fs();
  auto& list = *request.header.as<target_list>();
  list.covered = list.is_for_all ? 1 : static_cast<std::uint32_t>(list.experts.size());
  list.bytes = 0;
  request.kind = kind;
  request.payload_bytes = payload_bytes;
  if (kind == token_ack) request.payload.reset();
  request.wire_bytes = kind == token_ack ? request.train * format_.packets.header
                                         : format_.packets.wire_bytes(payload_bytes, request.train);
  std::swap(request.source, request.destination);
  request.vc = vc_of(at, request);
  request.tail = now;
  enqueue(at, request);
}

// A vector for own experts takes no wires.
void token_hub::store_own(std::uint32_t own, const target_list::experts_type& experts) {
  const fs_t now = now_fs();
  const std::uint32_t token = first_token() + own;
  const auto bytes = static_cast<std::uint32_t>(bsize(token_stage::dispatch));
  payload_slice data;
  if (carries_data_) data = payload_slice::allocate(bytes);
  fs_t done = access(tlm::TLM_READ_COMMAND, own_[own].input, data, bytes, now);
  if (done == fs_never) return;
  bool is_wrong = false;
  for (const std::uint16_t each : experts) {
    const placed_vector placed =
        store_for(each, token, 0, data, bytes, format_.packets.packets(bytes), now);
    done = std::max(done, placed.done);
    is_wrong |= placed.wrong != error::NONE;
  }
  if (!is_wrong) own_stored_.push(done, own);
}

void token_hub::take_own_stored() {
  for (std::uint32_t own = 0; own_stored_.pop_due(now_fs(), own);) {
    const token_list list = list_of(own);
    for (std::uint32_t i = 0; i < list.count; ++i)
      if (gpu_of_expert(list.experts[i]) == layer_.number)
        stored(row_of(list.experts[i], first_token() + own), first_token() + own,
               static_cast<std::uint32_t>(bsize(token_stage::dispatch)));
    stored_everywhere(own_[own], bsize(token_stage::dispatch));
  }
}

}  // namespace heddle
