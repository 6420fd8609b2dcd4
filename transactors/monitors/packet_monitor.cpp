#include "transactors/monitors/packet_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/monitors/request_ledger.hpp"

namespace heddle {

packet_monitor::packet_monitor(const sc_core::sc_module_name& name, const std::string& path,
                               const monitored_link& link, const unit& sender, const unit& receiver)
    : sc_module(name),
      path_(path),
      link_(link),
      sender_(sender),
      receiver_(receiver),
      fabric_(sender.sim().service<fabric>()),
      requests_(sender.sim().service<request_ledger>()) {
  from_sender.bind(static_cast<packet_forward_interface&>(*this));
  to_receiver.bind(static_cast<packet_backward_interface&>(*this));
}

void packet_monitor::report(const packet& p, const std::string& rule) {
  if (!rule.empty()) report_violation(sender_.sim(), path_, described_packet(p).text(), rule);
}

tlm::tlm_sync_enum packet_monitor::nb_transport_fw(packet& p, packet_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase != packet_phase::head) report(p, "only heads go forward");
  check(p, to_fs(delay));
  const auto result = to_receiver->nb_transport_fw(p, phase, delay);
  if (result != tlm::TLM_ACCEPTED)  // the packet is the receiver's now: no word about it
    report_violation(sender_.sim(), path_, "a head", "every call returns TLM_ACCEPTED");
  return result;
}

void packet_monitor::check(const packet& p, fs_t delay) {
  report(p, broken_rule(p, link_, now_fs(), delay));
  if (is_channel(p.vc)) check_wire(p);
  if (is_channel(p.vc)) check_credits(p);
  check_requests(p);
}

// A packet has the wire for its bytes. Where they come slower there are gaps, but not for another
// packet of its virtual channel.
void packet_monitor::check_wire(const packet& p) {
  const fs_t wire_free_at =
      std::exchange(wire_free_at_receiver_, p.head + link_.rate.duration(p.wire_bytes));
  fs_t& tail = tails_[p.vc];
  if (p.head < tail)
    report(p, fmt::format("head arrives at {} fs, before the tail of the packet in front, at {} fs",
                          p.head, tail));
  else if (p.head < wire_free_at)
    report(p, fmt::format("head arrives at {} fs, the wire is taken until {} fs", p.head,
                          wire_free_at));
  tail = std::max(tail, p.tail);
}

// A train needs a credit for its first packet when it starts, and all when its last byte leaves.
void packet_monitor::check_credits(const packet& p) {
  credit_book& book = credits_[p.vc];
  const fs_t start = p.head > link_.latency ? p.head - link_.latency : 0;
  std::uint64_t before = book.occupied(start);
  if (p.train > 1 && before + p.wire_bytes / p.train <= link_.buffer_bytes)
    before = book.occupied_later(p.tail > link_.latency ? p.tail - link_.latency : 0);
  if (before + p.wire_bytes > link_.buffer_bytes)
    report(p, fmt::format("sent without credits: {} of the buffer's {} B are taken", before,
                          link_.buffer_bytes));
  book.send(p.wire_bytes);
}

void packet_monitor::check_requests(const packet& p) {
  if (is_one_way(p.kind)) return;
  if (std::max(p.source, p.destination) >= fabric_.endpoints())
    return report(p, fmt::format("the fabric has {} endpoints", fabric_.endpoints()));
  if (sheet_of(p.kind).is_answered && fabric_.is_at(p.source, sender_))
    report(p, requests_.request_leaves(p, path_));
  if (requests_.follows(p.kind) && fabric_.is_at(p.destination, receiver_))
    report(p, requests_.response_arrives(p));
}

tlm::tlm_sync_enum packet_monitor::nb_transport_bw(packet& p, packet_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase != packet_phase::credit) report(p, "only credits go backward");
  if (!is_channel(p.vc)) {
    report(p, fmt::format("credit for a channel of {}", link_.vcs));
  } else {
    credit_book& book = credits_[p.vc];
    if (p.wire_bytes > book.not_returned())
      report(p, fmt::format("credit for {} B, only {} B were sent and not returned", p.wire_bytes,
                            book.not_returned()));
    else
      book.give_back(p.wire_bytes, p.train, p.head + link_.latency,
                     now_fs() + to_fs(delay) + link_.latency);
  }
  const auto result = from_sender->nb_transport_bw(p, phase, delay);
  if (result != tlm::TLM_ACCEPTED) report(p, "every call returns TLM_ACCEPTED");
  return result;
}

void packet_monitor::b_transport(packet& p, sc_core::sc_time&) {
  report(p, "the packet plane has no blocking access");
}

unsigned packet_monitor::transport_dbg(packet& p) {
  return to_receiver->transport_dbg(p);
}

bool packet_monitor::get_direct_mem_ptr(packet& p, tlm::tlm_dmi& dmi) {
  return to_receiver->get_direct_mem_ptr(p, dmi);
}

void packet_monitor::invalidate_direct_mem_ptr(sc_dt::uint64 from, sc_dt::uint64 to) {
  from_sender->invalidate_direct_mem_ptr(from, to);
}

}  // namespace heddle
