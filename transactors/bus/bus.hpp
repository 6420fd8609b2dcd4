// Memory-plane router: decodes addresses to targets; any number of initiators. Addresses reach a
// target with the base of its range taken off, unless the range says `absolute`.
//
// Limitations: no contention between initiators (targets model their own bandwidth); ranges do not
// change after elaboration.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "platform/netlist/builder.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

struct bus_parameters : parameter_set {
  parameter<duration> latency{*this, "latency", duration{0},
                              "added to every access", "an ideal router; targets state their own"};
};

struct bus_counters : statistic_set {
  statistic accesses{*this, "accesses", quantity::count, "accesses routed"};
  statistic decode_errors{*this, "decode_errors", quantity::count, "accesses to a hole"};
};

struct bus_range {
  std::uint64_t base = 0;
  std::uint64_t last = 0;
  bool is_absolute = false;
};

class memory_bus final : public unit, public address_decoder {
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

 private:
  using range_socket = tlm_utils::simple_initiator_socket_tagged<memory_bus>;
  static constexpr int no_target = -1;

  void b_transport(int from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int from, tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(int from, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  tlm::tlm_sync_enum nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int target, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 from, sc_dt::uint64 to);
  port& add_target(const bus_range& range);
  // Index of the target, or no_target; takes the base off the payload's address.
  int route(tlm::tlm_generic_payload& payload);
  void count(int target);

  bus_counters counters_;
  sc_core::sc_time latency_;
  tlm_utils::multi_passthrough_target_socket<memory_bus> target_;
  memory_target_port target_port_;
  std::vector<bus_range> ranges_;  // by target
  std::vector<std::unique_ptr<range_socket>> sockets_;
  std::vector<std::unique_ptr<memory_initiator_port>> range_ports_;
  int default_target_ = no_target;
  int last_hit_ = 0;                                                // accesses come in runs
  std::unordered_map<tlm::tlm_generic_payload*, int> initiator_of_;  // open nb transactions
};

}  // namespace heddle
