// Middle pipes of a top-of-rack switch for sparse gathers (NetSparse 6.2.1, Fig 8): a stage of the
// switch that takes packets of gathers with an own host as source or destination apart, looks their
// PRs up in the property cache of the pipe, and puts what goes on together again.
//
//   READ from port i to port e      pipe of e: a hit is answered through port i, a miss goes to e
//   RESPONSE from port i to port e  pipe of i: what is absent, and in scope, is inserted; all go on
//
// So reads for an owner and its responses meet in one pipe only if both use the same uplink:
// `routing: {spread: owner}`.
//
// Timing: a packet enters its pipe with its last byte, behind the one before it; one PR a cycle;
// look-ups are pipelined and take `lookup` cycles; then the concatenator. The packet is handled
// when its last PR has been looked up. Packets that are emitted wait in slots of an MTU, half of
// them for each message class; without a free slot the packet in front stays in its receive buffer,
// and only those of its class wait behind it.
// Other packets pay nothing.
//
// Packets of gathers whose properties are too long for a packet of the MTU pass like others: a ToR
// builds no packet that is longer than that.
//
// Limitations: misses are not merged (nor are they in the source); the slots are shared by all
// pipes; a packet is cached by kernel and length of its header, which is all that identifies a
// kernel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/inc/tor/property_cache.hpp"
#include "models/inc/tor/tor_regs.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/literals.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/gather/class_buffer.hpp"
#include "transactors/gather/concatenator.hpp"
#include "transactors/gather/gather_directory.hpp"
#include "transactors/gather/gather_packet.hpp"
#include "transactors/memory/register_socket.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/stages/stage_port.hpp"

namespace heddle {

struct tor_parameters : parameter_set {
  parameter<duration> cycle{*this,
                            "cycle",
                            duration{500'000},
                            within(1_fs, 1_ms),
                            "clock period",
                            "NetSparse Table 5: 2 GHz"};
  parameter<byte_size> cache{
      *this,
      "cache",
      32_MiB,
      within(0_B, 64_GiB),
      "property cache of all pipes together; each pipe uses a multiple of "
      "8192 lines of 16, 32, .. or 512 B of its share, as long as a property "
      "needs, and nothing of a share that is smaller",
      "NetSparse Table 5"};
  parameter<std::uint64_t> lookup{*this,
                                  "lookup",
                                  16,
                                  within(0, 1000),
                                  "cycles of a look-up in the cache, pipelined",
                                  "NetSparse Table 5"};
  parameter<std::uint64_t> delay{*this,
                                 "delay",
                                 125,
                                 within(0, 1 << 24),
                                 "cycles for which a property request waits for others, at reset",
                                 "NetSparse Table 5"};
  parameter<byte_size> buffer{*this,
                              "buffer",
                              48_MiB,
                              within(1500_B, 64_GiB),
                              "packets that wait for the second crossbar",
                              "NetSparse Table 5: 96 MB, split between both crossbars"};
  parameter<byte_size> mtu{*this,
                           "mtu",
                           1500_B,
                           within(128_B, 64_KiB),
                           "longest packet, headers included",
                           "NetSparse Table 5"};
  parameter<std::uint64_t> pool{*this,
                                "pool",
                                0,
                                within(0, 1 << 20),
                                "physical queues of 128 B of each concatenator; 0: each queue has "
                                "room for a packet",
                                "NetSparse 7.2"};
};

struct tor_counters : statistic_set {
  statistic packets{*this, "packets", quantity::count, "packets taken apart"};
  statistic requests{*this, "requests", quantity::count, "property requests in them"};
  statistic hits{*this, "hits", quantity::count, "requests answered from the cache"};
  statistic misses{*this, "misses", quantity::count,
                   "requests that could have been in the cache and went on"};
  statistic inserts{*this, "inserts", quantity::count, "properties taken into the cache"};
  statistic evictions{*this, "evictions", quantity::count, "properties that had to make room"};
  statistic sent_packets{*this, "sent_packets", quantity::count, "packets put together"};
  statistic held{*this, "held", quantity::count, "packets that waited for a slot"};
};

class tor final : public unit, public stage, private concatenator::listener {
 public:
  using parameters = tor_parameters;
  using counters = tor_counters;
  static std::vector<port_description> port_descriptions();

  tor(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;
  const tor_counters& count() const { return counters_; }
  std::uint32_t mtu() const { return together_.mtu; }
  std::uint32_t hosts() const { return hosts_; }               // nodes at the switch
  std::uint64_t cache_bytes() const { return cache_bytes_; }   // as the netlist says
  std::uint64_t used_cache_bytes(std::uint32_t length) const;  // of it, for such properties

  const unit& home() const { return switch_port_.host().stage_unit(); }  // the switch

  // least_pass() is the least time that a request or response of an own host spends in a pipe,
  // wait() how long the first one of a packet waits for others unless the packet fills. Both are 0
  // while packets are forwarded like others.
  fs_t least_pass() const { return is_enabled_ ? lookup_ * cycle_ : 0; }
  fs_t wait() const { return is_enabled_ ? regs_.control.delay.get() * cycle_ : 0; }
  bool has_pool() const { return together_.pool > 0; }
  bool answers_for_own_hosts() const { return is_enabled_ && uses_cache_ && takes_all_; }

  // What has become of the look-ups for requests of one node, of those counted as hits or misses.
  struct cache_use {
    std::uint64_t hits = 0, misses = 0;
  };
  const cache_use& use_of(std::uint32_t node) const { return uses_[node]; }

  // Packets of gathers on the link at a port of the switch since the run began: bytes on the wire
  // by the formula, packet by packet, and those that the link itself has counted.
  struct link_bytes {
    std::uint64_t in = 0, out = 0, counted_in = 0, counted_out = 0;
  };
  int port_count() const { return static_cast<int>(formula_in_.size()); }
  std::uint64_t pipe_count() const { return pipes_.size(); }
  link_bytes bytes_at(int port) const;
  std::string name_of_port(int port) const { return switch_port_.port_at(port).path(); }

 private:
  static constexpr int classes = gather_classes;
  struct arrival_at_pipe {
    stage_visit visit;
    fs_t start = 0;  // its first PR is looked up
    bool is_request = false;
  };
  struct pipe {
    pipe(tor& owner, int number, const concatenator_settings& settings, std::uint64_t cache_bytes);
    void handle() { owner.handle(*this); }

    tor& owner;
    const int number;
    fs_t free_at = 0;  // the look-up takes the next packet
    arrivals_with<arrival_at_pipe> inside[classes];
    timed_call due;
    property_cache cache;
    concatenator together;
    bool is_held_up[classes] = {false, false};
    std::uint64_t depth = 0;  // packets inside
    trace_signal<std::uint64_t> depth_trace, hits_trace;
  };

  stage_sheet sheet() const override;
  bool intercept(const stage_visit& visit, packet& p) override;
  void transmitted(int port, packet_kind kind, std::uint32_t packets) override;
  void on_connected() override;
  void check_links() const;
  void emitted(packet& p, std::uint16_t port) override;

  bool is_own(std::uint32_t endpoint) const;
  bool is_for_pipes(const packet& p, const gather_view& view) const;
  void handle(pipe& in);
  void handle(pipe& in, int of_class);
  bool has_slots(packet_kind kind) const;
  void take_apart(pipe& in, const arrival_at_pipe& at, packet& p);
  void pass_request(pipe& in, const arrival_at_pipe& at, const packet& p, const gather_view& view,
                    std::uint32_t number, fs_t when);
  void pass_response(pipe& in, const arrival_at_pipe& at, const packet& p, const gather_view& view,
                     std::uint32_t number, fs_t when);
  void answer_from(std::uint16_t source, std::uint16_t destination, std::uint32_t node,
                   gather_flow& flow) const;
  bool is_cached(const property_request& pr, std::uint32_t length) const;
  void invalidate();
  void end_invalidating();
  void set_control();

  const fs_t cycle_;
  const std::uint64_t lookup_;
  const std::uint64_t cache_bytes_;
  const std::uint64_t slots_;  // of each message class
  const bool carries_data_;
  concatenator_settings together_;
  gather_directory& directory_;
  tor_counters counters_;
  tor_registers regs_;
  register_socket registers_socket_;
  stage_port switch_port_;
  std::vector<std::unique_ptr<pipe>> pipes_;
  std::vector<int> own_;  // by endpoint: number among the own hosts, or -1
  std::uint32_t hosts_ = 0;
  bool is_enabled_ = false, uses_cache_ = false, takes_all_ = false;
  std::uint32_t length_ = 0, kernel_ = 0;  // of what the cache holds
  std::uint64_t waiting_[classes] = {0, 0};
  std::vector<cache_use> uses_;                          // by node
  std::vector<std::uint64_t> formula_in_, formula_out_;  // bytes, by port of the switch
  timed_call ready_;
  fs_t ready_at_ = 0;
};

}  // namespace heddle
