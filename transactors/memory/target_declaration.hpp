// Extension of the generic payload, ignorable: what a target knows of the other extensions. A
// foreign component leaves it as it is; whoever asks then keeps to the base protocol alone.
#pragma once

#include <tlm>

namespace heddle {

// On debug transport, with TLM_IGNORE_COMMAND and no data: what the target at the address is. On
// get_direct_mem_ptr: what the memory that grants access is.
struct target_declaration : tlm::tlm_extension<target_declaration> {
  using interface = tlm::tlm_fw_transport_if<>;

  // Set by the target.
  bool knows_extensions = false;   // performs or refuses atomics, sets bulk transfers apart
  bool completes_at_once = false;  // answers non-blocking requests with TLM_COMPLETED

  // Whom the question was put to. A component in between that does not know of it could answer in
  // four phases what the target completes at once.
  const interface* asked = nullptr;

  void declare(const interface& target, bool completes) {
    knows_extensions = true;
    completes_at_once = completes && asked == &target;
  }

  tlm::tlm_extension_base* clone() const override { return new target_declaration(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const target_declaration&>(other);
  }
};

}  // namespace heddle
