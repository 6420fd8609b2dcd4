// Extension of the generic payload, ignorable: what a target knows of the other extensions. A
// foreign component leaves it as it is; whoever asks then keeps to the base protocol alone.
#pragma once

#include <tlm>

#include "transactors/memory/blocking_call.hpp"

namespace heddle {

// On debug transport, with TLM_IGNORE_COMMAND and no data: what the target at the address is.
struct target_declaration : tlm::tlm_extension<target_declaration> {
  using interface = tlm::tlm_fw_transport_if<>;

  // Set by the target.
  bool knows_extensions = false;   // performs or refuses atomics, sets bulk transfers apart
  bool completes_at_once = false;  // answers non-blocking requests with TLM_COMPLETED
  blocking_call blocking;          // what b_transport of `asked` comes to, if that is known

  // Whom the question was put to. A component in between that does not know of it could answer in
  // four phases what the target completes at once, and has to see every access.
  const interface* asked = nullptr;

  void declare(const interface& target, bool completes, const blocking_call& handler) {
    knows_extensions = true;
    if (asked != &target) return;
    completes_at_once = completes;
    blocking = handler;
  }

  tlm::tlm_extension_base* clone() const override { return new target_declaration(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const target_declaration&>(other);
  }
};

}  // namespace heddle
