#include "models/gpu/hub/piece_packer.hpp"

#include <algorithm>
#include <vector>

#include "models/gpu/hub/expert_blocks.hpp"
#include "models/gpu/hub/token_dispatch.hpp"
#include "platform/tensor/convert.hpp"

namespace heddle {

packed_piece piece_packer::pack(const vector_piece& sent) {
  packet& p = packet_of(sent);
  const fs_t listed = now_fs() + (sent.whole.has_list() ? settings_.list_latency : 0);
  const fs_t filled = fill(p, sent);
  if (filled == fs_never) {
    give_back(&p);
    return {};
  }
  p.wire_bytes += p.header.as<target_list>()->bytes;
  count(sent);
  return {&p, std::max(listed, filled)};
}

packet& piece_packer::packet_of(const vector_piece& sent) const {
  const vector_move& move = sent.whole;
  packet& p = *take_packet();
  p.kind = move.kind;
  p.address = sent.address;
  p.payload_bytes = sent.bytes;
  p.train = static_cast<std::uint16_t>(sent.packets);
  p.source = peers_.own();
  p.destination = sent.to;
  p.is_inc = move.has_list();
  p.vc = wires_.vc_of(*sent.through, p);
  p.tag = sent.pool_index;
  p.carries_data = settings_.carries_data;
  p.reduced_type = static_cast<std::uint8_t>(dtype::bf16);
  p.created = now_fs();
  target_list& list = p.header.attach<target_list>();
  list.experts = move.experts;
  list.stage = move.stage;
  list.is_for_all = move.is_for_all;
  if (move.has_list() && !move.is_for_all)
    list.bytes = settings_.format.extension_bytes(sent.packets, list.experts.size(),
                                                  token_format::leg::source);
  return p;
}

// Each returns when it is done, and fs_never where the layer has failed.
fs_t piece_packer::fill(packet& p, const vector_piece& sent) {
  const packet_format& packets = settings_.format.packets;
  if (sent.whole.kind == token_fetch) {
    p.wire_bytes = p.train * packets.header;
    return now_fs();
  }
  p.wire_bytes = packets.wire_bytes(p.payload_bytes, p.train);
  return sent.whole.stage == token_stage::dispatch ? fill_from_input(p, sent)
                                                   : fill_from_experts(p, sent);
}

fs_t piece_packer::fill_from_input(packet& p, const vector_piece& sent) {
  if (settings_.carries_data) p.payload = payload_slice::allocate(p.payload_bytes);
  const std::uint64_t from = source_.input_of(sent.whole.token) + sent.offset;
  return memory_.access(tlm::TLM_READ_COMMAND, from, p.payload, p.payload_bytes, now_fs());
}

fs_t piece_packer::fill_from_experts(packet& p, const vector_piece& sent) {
  std::vector<float> sum;
  const vector_move& move = sent.whole;
  const fs_t added =
      blocks_.add(move.experts, {move.token, sent.offset, p.payload_bytes, p.train}, sum, now_fs());
  if (added == fs_never || !settings_.carries_data) return added;
  p.payload = payload_slice::allocate(p.payload_bytes);
  narrow(dtype::bf16, sum.data(), p.payload.data(), sum.size());
  return added;
}

void piece_packer::count(const vector_piece& sent) {
  const bool is_store = sent.whole.kind == token_store;
  const bool is_dispatch = sent.whole.stage == token_stage::dispatch;
  (is_store ? counters_.stored : counters_.fetched) += sent.packets;
  if (is_store) (is_dispatch ? counters_.dispatch_out : counters_.combine_out) += sent.bytes;
}

}  // namespace heddle
