// Memory-plane router: decodes addresses to targets; any number of initiators. Addresses reach a
// target with the base of its range taken off, unless the range says `absolute`. An access that
// leaves its range is a decode error, and so is one to the default range that reaches a mapped one;
// a debug access ends where its range does.
//
// Targets that answer non-blocking requests in the call, as memories and registers do, cost a call
// passed on; all others go through target_exchange.hpp, which keeps the base protocol's order of
// requests and responses, and performs the atomics that foreign targets do not know.
//
// Limitations: no contention between initiators (targets model their own bandwidth); ranges do not
// change after elaboration.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <memory>
#include <vector>

#include "platform/netlist/builder.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/bus/address_path.hpp"
#include "transactors/bus/target_exchange.hpp"
#include "transactors/memory/direct_target_socket.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

struct bus_parameters : parameter_set {
  parameter<duration> latency{*this, "latency", duration{0}, "added to every access",
                              "an ideal router; targets state their own"};
};

struct bus_counters : statistic_set {
  statistic accesses{*this, "accesses", quantity::count, "accesses routed"};
  statistic decode_errors{*this, "decode_errors", quantity::count, "accesses to a hole"};
};

struct bus_range {
  std::uint64_t base = 0;
  std::uint64_t last = 0;
  std::uint64_t taken_off = 0;  // of the addresses that the target sees: 0 or the base
};

class memory_bus final : public unit, public address_decoder, public address_forwarder {
 public:
  using parameters = bus_parameters;
  using counters = bus_counters;
  static std::vector<port_description> port_descriptions();

  memory_bus(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }

  // Adds a range for one more target; the default range takes every address that no other has.
  // Throws user_error on an overlap.
  port& add_range(std::uint64_t base, std::uint64_t size, bool is_absolute) override;
  port& add_default_range() override;
  void connected(const port& range, const port& target) override;
  void check_range(const port& range) override;

  // Ranges that other buses are behind.
  std::vector<way> ways() const override;
  const std::string& forwarder_name() const override { return path(); }

 private:
  using range_socket = tlm_utils::simple_initiator_socket_tagged<memory_bus>;
  static constexpr int no_target = -1;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  tlm::tlm_sync_enum nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int target, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 from, sc_dt::uint64 to);
  void end_of_elaboration() override;
  void start_of_simulation() override;
  port& add_target(const bus_range& range);
  std::size_t target_of(const port& range) const;
  // The addresses that lead to a target: its range, or all that no range has.
  std::vector<address_interval> addresses_of(std::size_t target) const;
  // The default range has one of these for each gap between the other ranges.
  struct decoded_range {
    bus_range range;
    tlm::tlm_fw_transport_if<>* target = nullptr;
    blocking_call blocking;          // of the target; empty when there is none
    int index = 0;                   // of the target
    bool is_foreign = false;         // knows the base protocol alone
    bool completes_at_once = false;  // in the call, what is not blocking
  };
  // Finds the range of a page that lies in one range as a whole.
  static constexpr std::uint64_t page_bytes = 4096;
  struct page_entry {
    std::uint64_t page = UINT64_MAX;
    const decoded_range* range = nullptr;
  };
  struct address_region {
    std::uint64_t first, last;
    std::uint64_t cut_in_front = 0;  // bytes of the target's region before `first`
  };

  const decoded_range& decode(std::uint64_t address) {
    if (latest_first_ <= address && address <= latest_last_) return *latest_;
    const std::uint64_t page = address / page_bytes;
    const page_entry& entry = pages_[page % pages_.size()];
    return entry.page == page ? *entry.range : search(address);
  }
  const decoded_range& search(std::uint64_t address);
  // Both take the base off the payload's address and return nullptr when nobody is there; an access
  // is counted.
  const decoded_range* translate(tlm::tlm_generic_payload& payload);
  const decoded_range* route(tlm::tlm_generic_payload& payload);
  static address_region on_bus(const bus_range& range, address_region stated);

  // What every access needs.
  bus_counters counters_;
  sc_core::sc_time latency_;
  // The range that was searched for last among those that `pages_` does not serve: memories, whose
  // pages are too many, and what is smaller than a page. Accesses that go here and there among
  // others would mispredict whether they hit it.
  std::uint64_t latest_first_ = 1, latest_last_ = 0;
  const decoded_range* latest_ = nullptr;
  // An initiator's own socket, made when it connects.
  struct input {
    static constexpr bool completes_at_once = false;
    memory_bus* bus;
    int from;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      bus->b_transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
      return bus->transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
      return bus->get_direct_mem_ptr(payload, dmi);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
      return bus->nb_transport_fw(from, payload, phase, delay);
    }
  };
  memory_target_base& add_input();

  std::vector<std::unique_ptr<direct_target_socket<input>>> inputs_;
  memory_target_port target_port_;
  std::vector<bus_range> ranges_;  // by target
  std::vector<std::unique_ptr<range_socket>> sockets_;
  std::vector<std::unique_ptr<memory_initiator_port>> range_ports_;
  int default_target_ = no_target;
  std::vector<const memory_bus*> next_buses_;  // by target, nullptr for what is no bus

  // What accesses need, complete once every socket is bound.
  std::vector<std::uint64_t> bases_;    // sorted, filled up to a power of two
  std::vector<decoded_range> decoded_;  // in the same order, filled up with the last one
  const decoded_range nobody_{};        // of addresses that no range has
  std::array<page_entry, 64> pages_;    // answers found before; a search costs 4 ns more
  target_exchange exchange_;
};

}  // namespace heddle
