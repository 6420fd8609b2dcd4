#include "models/gpu/hub/token_notices.hpp"

#include <algorithm>

#include "models/gpu/hub/layer_run.hpp"
#include "models/gpu/hub/token_combine.hpp"

namespace heddle {

packet& token_notices::notice_for(std::uint32_t gpu, std::uint32_t payload_bytes,
                                  std::uint32_t train) const {
  const packet_format& packets = settings_.format.packets;
  packet& p = *take_packet();
  p.kind = token_notice;
  p.source = peers_.own();
  p.destination = peers_.of(gpu);
  p.carries_data = false;
  p.payload_bytes = payload_bytes;
  p.train = static_cast<std::uint16_t>(train);
  p.wire_bytes = packets.wire_bytes(payload_bytes, p.train);
  p.header.attach<token_notice_list>();
  return p;
}

void token_notices::send(packet& p, std::uint64_t plane) {
  hub_side& through = wires_.towards(p.destination, plane * settings_.interleave);
  p.vc = wires_.vc_of(through, p);
  p.tail = now_fs();
  p.explain(running_cause::copy());
  counters_.notices += p.train;
  wires_.enqueue(through, p);
}

void token_notices::send_counts() {
  const packet_format& packets = settings_.format.packets;
  const std::uint32_t bytes = 4 * layer_.experts_per_gpu;
  const std::uint64_t longest = std::uint64_t{settings_.train} * packets.mtu;
  for (std::uint32_t i = 1; i < layer_.gpus; ++i) {
    const std::uint32_t gpu = (layer_.number + i) % layer_.gpus;
    for (std::uint32_t sent = 0; sent < bytes;) {
      const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes - sent, longest));
      sent += piece;
      packet& p = notice_for(gpu, piece, packets.packets(piece));
      p.header.as<token_notice_list>()->is_count = sent == bytes;
      send(p, gpu);
    }
  }
}

void token_notices::tell(std::uint32_t gpu, const std::vector<std::uint16_t>& tokens,
                         std::uint32_t row) {
  constexpr std::size_t most = token_notice_list::most_tokens;
  for (std::size_t first = 0; first < tokens.size(); first += most) {
    packet& p = notice_for(gpu, settings_.format.packets.flit, 1);
    auto& list = *p.header.as<token_notice_list>();
    for (std::size_t i = first; i < std::min(first + most, tokens.size()); ++i)
      list.tokens.push_back(tokens[i]);
    send(p, row + gpu);
  }
}

void token_notices::take(packet& notice) {
  if (const auto* list = notice.header.as<token_notice_list>()) {
    if (list->is_count) run_.count_arrived();
    for (const std::uint16_t own : list->tokens) combine_.expert_done(own, notice.source);
  } else {
    status_.fail(error::REMOTE, 0, 0,
                 peers_.name_of(notice.source) + " sends a notice that tells nothing");
  }
  give_back(&notice);
}

}  // namespace heddle
