// Stands in front of a memory and lets a workload say what lies in parts of it without storing a
// byte: indices that a generator computes, properties that follow from their number and are checked
// as they arrive. Accesses to such parts take the same time in the memory behind; all others go
// through as they are. So a node whose properties would fill its memory costs next to nothing, and
// every byte that arrives is still compared.
//
// Limitations: an access lies wholly inside or outside of what the workload describes; debuggers
// see the memory behind; no direct access to any of it.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstddef>
#include <cstdint>

#include "platform/unit/registry.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/passing_target_socket.hpp"

namespace heddle {

// Offsets are those of the memory behind.
class described_content {
 public:
  virtual bool holds(std::uint64_t offset, std::uint32_t bytes) const = 0;
  // `to` and `from` are null where the bytes are not carried (`data: off`).
  virtual void read(std::uint64_t offset, std::byte* to, std::uint32_t bytes) = 0;
  virtual void write(std::uint64_t offset, const std::byte* from, std::uint32_t bytes) = 0;

 protected:
  ~described_content() = default;
};

struct gather_memory_parameters : parameter_set {
  parameter<std::uint64_t> number{
      *this, "number", 0, within(0, 65535), "number of its node", "set by the netlist"};
};

struct gather_memory_counters : statistic_set {
  statistic reads{*this, "reads", quantity::count, "reads of described parts"};
  statistic writes{*this, "writes", quantity::count, "writes to described parts"};
};

class gather_memory final : public unit {
 public:
  using parameters = gather_memory_parameters;
  using counters = gather_memory_counters;
  static std::vector<port_description> port_descriptions();

  gather_memory(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::uint32_t number() const { return number_; }

  // Must outlive its use; nullptr: everything goes through.
  void describe(described_content* content) { content_ = content; }

 private:
  struct access {
    gather_memory* owner;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      owner->b_transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
      return owner->memory_->transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
      dmi.allow_none();
      return false;
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
      return owner->nb_transport_fw(payload, phase, delay);
    }
    tlm::tlm_fw_transport_if<>* behind() { return owner->memory_.operator->(); }
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  bool describes(const tlm::tlm_generic_payload& payload) const;
  void mark(tlm::tlm_generic_payload& payload);  // as described, until perform()
  // What the memory behind has taken its time for.
  void perform(tlm::tlm_generic_payload& payload);

  const std::uint32_t number_;
  gather_memory_counters counters_;
  described_content* content_ = nullptr;
  passing_target_socket<access> in_;
  tlm_utils::simple_initiator_socket<gather_memory> memory_;
  memory_target_port in_port_;
  memory_initiator_port memory_port_;
  bulk_extension mark_;  // shared by all accesses that bring no bulk extension
};

}  // namespace heddle
