// Watches one binding of the memory plane: the base protocol between an initiator and a target.
// Passes every call on at once and unchanged, so that no time depends on it.
//
// Checked: the generic payload (payload_rules.hpp), the phases of non-blocking transport
// (phase_rules.hpp), time that goes backwards, payloads that are used again while in flight or have
// no memory manager, blocking calls of method processes, regions of direct access, the count of a
// debug access.
//
// Limitations: accesses through a pointer for direct access go unseen; a changed address and
// written data are not compared.
#pragma once

#include <string>
#include <unordered_set>

#include "transactors/memory/memory_port.hpp"
#include "transactors/monitors/phase_rules.hpp"
#include "transactors/monitors/violation.hpp"

namespace heddle {

class simulation;

class memory_monitor final : public sc_core::sc_module,
                             private tlm::tlm_fw_transport_if<>,
                             private tlm::tlm_bw_transport_if<> {
 public:
  // Violations name the binding as `path`.
  memory_monitor(const sc_core::sc_module_name& name, const std::string& path, simulation& sim);

  tlm::tlm_target_socket<32> from_initiator{"from_initiator"};
  tlm::tlm_initiator_socket<32> to_target{"to_target"};

 private:
  using payload = tlm::tlm_generic_payload;

  void b_transport(payload& access, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(payload& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(payload& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(payload& access) override;
  bool get_direct_mem_ptr(payload& access, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 from, sc_dt::uint64 to) override;

  void report(const described_access& access, const std::string& rule);

  const std::string path_;
  simulation& sim_;
  phase_rules phases_;
  std::unordered_set<const payload*> blocking_;  // in b_transport
};

}  // namespace heddle
