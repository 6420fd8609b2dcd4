// A unit that does with one register what its description does not say: `mistake` tells which.
#pragma once

#include <string>
#include <vector>

#include "platform/unit/registry.hpp"
#include "tests/system/firmware_tools/crooked_regs.hpp"
#include "transactors/memory/direct_target_socket.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

struct crooked_parameters : parameter_set {
  parameter<std::string> mistake{*this, "mistake", "none", "what is wrong", "set by the test"};
};
struct crooked_counters : statistic_set {};

class crooked final : public unit {
 public:
  using parameters = crooked_parameters;
  using counters = crooked_counters;
  static std::vector<port_description> port_descriptions() {
    return {{"registers", "memory target", "the register block"}};
  }

  crooked(const unit_context& context, const parameters& p);

 private:
  struct access {
    crooked* owner;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      owner->transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
      return owner->regs_.transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
      dmi.allow_none();
      return false;
    }
    static constexpr bool completes_at_once = true;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                       sc_core::sc_time& delay) {
      owner->transport(payload, delay);
      return tlm::TLM_COMPLETED;
    }
  };

  void plant_hooks();
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool is(const char* mistake) const { return mistake_ == mistake; }

  const std::string mistake_;
  crooked_registers regs_;
  direct_target_socket<access> socket_;
  memory_target_port port_;
};

}  // namespace heddle
