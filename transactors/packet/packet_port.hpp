// The two ends of a link at one unit: a transmitter (initiator socket, serializer, credits) and a
// receiver (target socket). A unit owns packet_ports and implements packet_receiver.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "platform/services/link_directory.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_signal.hpp"
#include "platform/trace/trace_states.hpp"
#include "platform/unit/port.hpp"
#include "platform/unit/statistic.hpp"
#include "transactors/packet/credit_account.hpp"
#include "transactors/packet/link_parameters.hpp"
#include "transactors/packet/packet.hpp"
#include "transactors/packet/packet_protocol.hpp"
#include "transactors/packet/start_causes.hpp"

namespace heddle {

class fabric;

class packet_port;

// Links carry whole packets, or the flits of packets one by one; a unit works with one of the two.
enum class packet_granularity : std::uint8_t { any, packets, flits };

// What the owner of a port is told. Called inside the sender's activation.
class packet_receiver {
 public:
  // A link joins units of the same granularity, or is refused.
  virtual packet_granularity granularity() const { return packet_granularity::any; }
  // The packet belongs to the receiver now; its first byte arrives at packet.head >= now.
  virtual void receive(packet_port& at, packet& arrived) = 0;
  // A transmitter that was found blocked for credits may try again now.
  virtual void credits_returned(packet_port& at) = 0;

 protected:
  ~packet_receiver() = default;
};

struct link_counters : statistic_set {
  // Counted together: in one cache line.
  alignas(64) statistic packets{*this, "packets", quantity::count,
                                "packets sent (a train counts its packets)"};
  statistic bytes{*this, "bytes", quantity::bytes, "wire bytes sent, headers included"};
  statistic payload{*this, "payload", quantity::bytes, "payload bytes sent"};
  statistic busy{*this, "busy", quantity::busy, "time in which the wire carried bytes"};
  statistic credit_stalls{*this, "credit_stalls", quantity::count,
                          "times when a packet waited for a free buffer at the far end"};
};

class packet_port final : public port,
                          private counted_wire,
                          private packet_forward_interface,
                          private packet_backward_interface {
 public:
  // `index` is handed back to the owner through index().
  packet_port(unit& owner, packet_receiver& receiver, const std::string& name, int index);

  std::string kind() const override { return "packet"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;

  int index() const { return index_; }
  const packet_port* peer() const { return peer_; }
  const bandwidth& rate() const { return rate_; }
  fs_t latency() const { return latency_; }
  // Time from the transmitter to the peer: latency of the stages behind it and of the wire.
  fs_t way() const { return way_; }
  int vcs() const { return vcs_; }
  std::uint64_t buffer_bytes() const { return buffer_bytes_; }
  std::uint32_t weight() const { return weight_; }  // among links of equally long paths
  const link_counters& counters() const { return counters_; }

  // Shows in waves what the wire to the peer carries, to whom, how many bytes and in which step.
  void trace_wire();

  // Transmitter -----------------------------------------------------------------------------
  fs_t free_at() const { return free_at_; }  // the serializer takes the next packet then
  // Whether the far end has room, for a train room for one packet after the other, and the packet
  // before it on its virtual channel is through. If not, credits_returned() follows as soon as that
  // is so.
  bool has_credits(const packet& candidate, fs_t now);
  // Credits that are here.
  std::uint64_t credits_here(int vc) const {
    const std::int64_t available = credits_[static_cast<std::size_t>(vc)].available;
    return available > 0 ? static_cast<std::uint64_t>(available) : 0;
  }
  // Credits that are here or on their way back.
  std::uint64_t credits_to_come(int vc) const;
  // When the last byte of a packet goes that starts at `now`, the unit having that byte at
  // `tail_ready`: not before then, and in a train not before the credits for it are there.
  fs_t last_byte(const packet& candidate, fs_t now, fs_t tail_ready) const {
    const credit_account& account = credits_[candidate.vc];
    fs_t last = now + rate_.duration(candidate.bytes_to_tail());
    if (__builtin_expect(account.available < candidate.wire_bytes, 0))
      last = account.last_byte(candidate, now, rate_);
    return std::max(last, tail_ready);
  }
  // Starts at `now` (>= free_at(), with credits). The packet leaves this unit: its last byte goes
  // at the returned time, which is that of last_byte(). What comes slower than the wire takes it
  // leaves gaps, in which flits of other virtual channels go.
  fs_t send(packet& sent, fs_t now, fs_t tail_ready);

  // A stage behind the transmitter delays all that is sent by `added` before it is on the wire, and
  // that time counts as forwarding at `charged`.
  void add_transmit_latency(fs_t added, site_id charged);
  // The transmitter takes no packet before `until`.
  void keep_busy(fs_t until);

  // Receiver --------------------------------------------------------------------------------
  // What arrives from now on goes to another part of the owner.
  void hand_to(packet_receiver& receiver) { receiver_ = &receiver; }
  // States how long at least a packet stays in the receive buffer after its last byte has come.
  void state_holding(fs_t time) { holding_ = time; }
  void add_holding(fs_t time) { holding_ += time; }
  fs_t holding() const { return holding_; }
  // The packet leaves the receive buffer of its vc completely at `when`, the packets of a train one
  // after the other from packet::head on.
  void release(packet& leaving, fs_t when);
  // Prefetches what release() of that packet will write to.
  void fetch_release(const packet& leaving) const {
    const credit_account& account = peer_->credits_[leaving.vc];
    __builtin_prefetch(account.few.data(), 1);
    __builtin_prefetch(&account.available, 1);
  }

  // Explanation -----------------------------------------------------------------------------
  // Why the last packet of that source started here when it did: the cause of what could not start
  // before.
  const cause& latest_start(std::uint16_t source) const { return starts_.latest(source); }
  site_id wire_in() const { return peer_->starts_.wire(); }
  // The packet is taken when its last byte is there, and not when its first is.
  void explain_tail(packet& taken) const {
    if (taken.is_explained) taken.why.then(category::serialization, wire_in(), taken.tail);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(packet& p, packet_phase& phase, sc_core::sc_time& t) override;
  tlm::tlm_sync_enum nb_transport_bw(packet& p, packet_phase& phase, sc_core::sc_time& t) override;
  void b_transport(packet& p, sc_core::sc_time& t) override;
  unsigned transport_dbg(packet& p) override;
  bool get_direct_mem_ptr(packet& p, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 from, sc_dt::uint64 to) override;
  // What the wire carries: nothing, or a packet_kind, counted from 1. It waits for credits while
  // packets are there and the far end has no room for any of them.
  enum class wire_state : std::uint64_t { idle };
  static wire_state waits_for_credits() { return static_cast<wire_state>(packet_kind_count() + 1); }
  static trace_states wire_state_names();

  link_figures figures() const override;  // of what it has sent; busy up to now
  fs_t last_on_wire() const { return free_at_ == kept_until_ ? on_wire_until_ : free_at_; }
  void check_granularity(const packet_port& far) const;
  void create_sockets();
  void show(const packet& sent, fs_t now, fs_t end) const;
  void set_way();
  void explain_start(packet& sent, fs_t now, fs_t end);
  bool wait_for_tail(int vc, fs_t now);
  void refuse(const packet& refused, fs_t now);
  void retry();

  // What every packet needs comes first, in as few cache lines as it takes: a system has far more
  // ports than fit into the nearest cache.
  packet_receiver* receiver_;
  // What the sockets lead to, the peer or a monitor in between, from the first use on.
  packet_forward_interface* forward_ = nullptr;
  packet_backward_interface* backward_ = nullptr;
  fs_t free_at_ = 0;
  fs_t stretched_until_ = 0;  // the last of the tails_ that come later than the wire is free
  fs_t latency_ = 0;
  int index_;
  bool is_blocked_ = false;
  bool is_traced_ = false;
  bool has_sent_others_ = false;  // that leave no cause, since the last packet with one
  bandwidth rate_;
  fs_t way_ = 0;               // latency and that of stages between transmitter and wire
  sc_core::sc_time way_time_;  // the same
  fs_t last_start_ = 0;        // of a packet on the wire
  link_counters counters_;
  std::array<credit_account, all_vcs> credits_;
  timed_call retry_;
  std::array<fs_t, all_vcs> tails_{};  // by virtual channel, of its last packet that left gaps

  packet_port* peer_ = nullptr;
  std::unique_ptr<packet_initiator_socket> transmit_;  // open ports have no sockets
  std::unique_ptr<packet_target_socket> receive_;
  fs_t transmit_latency_ = 0;  // of stages between transmitter and wire
  // Where keep_busy() has set free_at_ to kept_until_, the wire is free from on_wire_until_ on.
  fs_t kept_until_ = fs_never, on_wire_until_ = 0;
  int vcs_ = 0;
  std::uint64_t buffer_bytes_ = 0;
  std::uint32_t weight_ = 1;
  fs_t holding_ = 0;
  trace_signal<wire_state> wire_trace_;
  const fabric* fabric_ = nullptr;                    // which names destinations in traces
  trace_signal<std::string_view> destination_trace_;  // of the packet on the wire
  trace_signal<std::uint64_t> bytes_trace_;           // the same packet's, headers included
  trace_signal<std::string_view> step_trace_;         // and its step, if it has one
  start_causes starts_;
};

}  // namespace heddle
