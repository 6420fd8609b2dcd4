#include "models/gpu/hub/token_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/gpu/hub/row_return.hpp"
#include "models/gpu/hub/tile_schedule.hpp"
#include "models/gpu/hub/token_dispatch.hpp"
#include "models/gpu/hub/token_results.hpp"
#include "platform/tensor/convert.hpp"
#include "transactors/packet/packet_response.hpp"

namespace heddle {

token_target::token_target(hub_core& core, hub_wires& wires, expert_blocks& blocks,
                           const token_dispatch& own, tile_schedule& tiles, row_return& returns,
                           token_results& results)
    : hub_part(core),
      wires_(wires),
      blocks_(blocks),
      own_(own),
      tiles_(tiles),
      returns_(returns),
      results_(results),
      served_(timed_queue<served_packet>::to<token_target, &token_target::take_served,
                                             &token_target::fetch_served>(*this)) {}

void token_target::serve(hub_side& at, packet& request) {
  const bool is_fetch = request.kind == token_fetch;
  vector_position about;
  if (!has_list(request) || !locate(request, about)) {
    request.is_error = true;
    return answer(at, request, is_fetch ? token_sum : token_ack);
  }
  if (is_fetch) return serve_fetch(at, request, about);
  const bool is_vector = request.header.as<target_list>()->stage == token_stage::dispatch;
  is_vector ? serve_store(at, request, about) : serve_part(at, request, about);
}

void token_target::refuse(hub_side& at, packet& stray) {
  fail_request(stray, 0,
               fmt::format("sends a {}, which is no part of a layer", name_of(stray.kind)));
  if (is_response(stray.kind) || is_one_way(stray.kind)) return give_back(&stray);
  turn_into_refusal(stray, response_to(stray.kind), settings_.format.packets);
  stray.vc = wires_.vc_of(at, stray);
  stray.tail = now_fs();
  wires_.enqueue(at, stray);
}

// False: a packet of another endpoint without targets. Its answer has an empty list.
bool token_target::has_list(packet& request) {
  if (request.header.as<target_list>()) return true;
  request.header.attach<target_list>();
  return fail_request(request, 0,
                      fmt::format("sends a {} without a list of targets", name_of(request.kind)));
}

// Ranks that were told different layers name vectors that this one does not have. False: such a
// request has failed the layer, and none of its numbers may be used.
bool token_target::locate(const packet& request, vector_position& found) {
  const bool is_fetch = request.kind == token_fetch;
  const std::uint64_t vector_bytes =
      layer_.bsize(is_fetch ? token_stage::combine : request.header.as<target_list>()->stage);
  if (vector_bytes == 0) return fail_request(request, 0, "names a vector before there is a layer");
  const std::uint64_t from_range = request.address - layer_.range;
  const std::uint64_t token = from_range / vector_bytes, offset = from_range % vector_bytes;
  if (token >= layer_.all_tokens())
    return fail_request(request, token,
                        fmt::format("names token {} of {}", token, layer_.all_tokens()));
  if (offset + request.payload_bytes > vector_bytes)
    return fail_request(request, token,
                        fmt::format("names {} B of token {}, whose vector has {} B",
                                    offset + request.payload_bytes, token, vector_bytes));
  found = {static_cast<std::uint32_t>(token), static_cast<std::uint32_t>(offset)};
  return may_name(request, found.token);
}

// Vectors are stored and fetched by the GPU whose tokens they are; parts of a sum come to it.
bool token_target::may_name(const packet& request, std::uint32_t token) {
  const bool is_part = request.kind == token_store &&
                       request.header.as<target_list>()->stage == token_stage::combine;
  const std::uint32_t sender = peers_.rank_of(request.source), owner = layer_.gpu_of_token(token);
  if (is_part &&
      (layer_.traffic != TOKEN_COPIES || !own_.has_dispatched(token - layer_.first_token())))
    return fail_request(request, token,
                        fmt::format("returns a part of token {}, which rank {} has not sent it",
                                    token, layer_.number));
  if (!is_part && sender < layer_.gpus && sender != owner)
    return fail_request(request, token,
                        fmt::format("names token {}, which is one of rank {}", token, owner));
  return true;
}

bool token_target::fail_request(const packet& request, std::uint64_t token,
                                const std::string& what) {
  status_.fail(error::REMOTE, static_cast<std::uint32_t>(token), 0,
               fmt::format("{} {}", peers_.name_of(request.source), what));
  return false;
}

void token_target::serve_store(hub_side& at, packet& request, const vector_position& about) {
  const auto& list = *request.header.as<target_list>();
  const fs_t now = now_fs();
  served_packet served{&request, &at, &list, about, 0};
  fs_t done = now;
  bool is_wrong = false;
  for (const std::uint16_t& expert : list.experts) {
    const placed_vector placed =
        blocks_.store(expert, range_of(request, about), request.payload, now);
    if (&expert == list.experts.data()) served.first_row = placed.row;
    done = std::max(done, placed.done);
    is_wrong |= placed.wrong != error::NONE;
  }
  if (!is_wrong) returns_.expect(about.token, list.experts.size());
  if (list.is_for_all && list.experts.empty()) {
    done = write_gathered(request, now);
    is_wrong = done == fs_never;
  }
  request.is_error = is_wrong;
  counters_.served_stores += request.train;
  counters_.dispatch_in += request.payload_bytes;
  push(done, served);
}

void token_target::serve_fetch(hub_side& at, packet& request, const vector_position& about) {
  const auto& list = *request.header.as<target_list>();
  std::vector<float> sum;
  const fs_t done = blocks_.add(list.experts, range_of(request, about), sum, now_fs());
  request.is_error = done == fs_never;
  if (settings_.carries_data && !request.is_error) {
    sum.resize(request.payload_bytes / size_of(dtype::bf16));  // zeros of whom it has nothing for
    request.payload = payload_slice::allocate(request.payload_bytes);
    narrow(dtype::bf16, sum.data(), request.payload.data(), sum.size());
  }
  counters_.served_fetches += request.train;
  counters_.combine_out += request.payload_bytes;
  push(done, {&request, &at, &list, about, 0});
}

// A part of an own token's result, from the experts of one GPU (copies).
void token_target::serve_part(hub_side& at, packet& request, const vector_position& about) {
  counters_.combine_in += request.payload_bytes;
  const fs_t done = write_gathered(request, now_fs());
  request.is_error = done == fs_never;
  push(done, {&request, &at, request.header.address(), about, 0});
}

// `done`: when memory has done its part, which is the running cause; fs_never where it refuses.
void token_target::push(fs_t done, const served_packet& served) {
  const fs_t when = done == fs_never ? now_fs() : done;
  packet& request = *served.request;
  request.explain(running_cause::copy());
  if (request.is_explained) request.why.then(category::memory, site_, when);
  served_.push(when, served);
}

// Of a vector that has no place in an expert's block, only the time that memory takes is simulated.
fs_t token_target::write_gathered(const packet& request, fs_t now) {
  const std::uint64_t to = layer_.gathered + (request.address - layer_.range);
  return memory_.access(tlm::TLM_WRITE_COMMAND, to, {}, request.payload_bytes, now);
}

void token_target::fetch_served() const {
  const served_packet* next = served_.next();
  if (!next) return;
  __builtin_prefetch(next->request);
  __builtin_prefetch(next->header);
}

void token_target::take_served() {
  for (served_packet due; served_.pop_due(now_fs(), due);) {
    packet& request = *due.request;
    cause why;
    if (request.is_explained) why = request.why;
    const running_cause served(why);
    if (request.kind == token_fetch) {
      answer(*due.at, request, token_sum);
      continue;
    }
    if (!request.is_error) take_store(due);
    answer(*due.at, request, token_ack);
  }
}

void token_target::take_store(const served_packet& served) {
  const packet& request = *served.request;
  const auto& list = *request.header.as<target_list>();
  const auto [token, offset] = served.about;
  const std::uint32_t bytes = request.payload_bytes;
  if (list.stage == token_stage::combine)
    return results_.take_part(token - layer_.first_token(), peers_.rank_of(request.source), offset,
                              request.payload, bytes);
  for (const std::uint16_t& expert : list.experts)
    tiles_.stored(&expert == list.experts.data() ? served.first_row : blocks_.row_of(expert, token),
                  token, bytes);
}

// The same object goes back, through the port where it came in.
void token_target::answer(hub_side& at, packet& request, packet_kind kind) {
  auto& list = *request.header.as<target_list>();
  list.covered = list.is_for_all ? 1 : static_cast<std::uint32_t>(list.experts.size());
  list.bytes = 0;
  turn_into_response(request, kind);
  request.wire_bytes = settings_.format.packets.wire_bytes(request.payload_bytes, request.train);
  request.vc = wires_.vc_of(at, request);
  request.tail = now_fs();
  wires_.enqueue(at, request);
}

}  // namespace heddle
