// Watches one direction of a link between two packet ports: packets forward, their credits
// backward. Passes every call on at once and unchanged, so that no time depends on it.
//
// Checked: times and sizes of each packet (packet_rules.hpp); packets share the wire as its rate
// allows, and those of a virtual channel follow each other; the sender never overruns the
// receiver's buffer; no credit comes back twice; each request gets exactly one response
// (request_ledger.hpp).
//
// Limitations: a credit is not matched with the packet that it is for, only with its channel.
#pragma once

#include <array>
#include <string>

#include "transactors/monitors/credit_book.hpp"
#include "transactors/monitors/packet_rules.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

class fabric;
class request_ledger;

class packet_monitor final : public sc_core::sc_module,
                             private packet_forward_interface,
                             private packet_backward_interface {
 public:
  // `sender` and `receiver` own the ends of the link that violations name as `path`.
  packet_monitor(const sc_core::sc_module_name& name, const std::string& path,
                 const monitored_link& link, const unit& sender, const unit& receiver);

  packet_target_socket from_sender{"from_sender"};
  packet_initiator_socket to_receiver{"to_receiver"};

 private:
  tlm::tlm_sync_enum nb_transport_fw(packet& p, packet_phase& phase, sc_core::sc_time& t) override;
  tlm::tlm_sync_enum nb_transport_bw(packet& p, packet_phase& phase, sc_core::sc_time& t) override;
  void b_transport(packet& p, sc_core::sc_time& t) override;
  unsigned transport_dbg(packet& p) override;
  bool get_direct_mem_ptr(packet& p, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 from, sc_dt::uint64 to) override;

  void check(const packet& p, fs_t delay);
  void check_wire(const packet& p);
  void check_credits(const packet& p);
  void check_requests(const packet& p);
  bool is_channel(int vc) const { return vc < link_.vcs || (vc >= max_vcs && vc < all_vcs); }
  void report(const packet& p, const std::string& rule);

  const std::string path_;
  const monitored_link link_;
  const unit& sender_;
  const unit& receiver_;
  const fabric& fabric_;
  request_ledger& requests_;
  fs_t wire_free_at_receiver_ = 0;
  std::array<fs_t, all_vcs> tails_{};  // at the receiver, by virtual channel
  std::array<credit_book, all_vcs> credits_;
};

}  // namespace heddle
