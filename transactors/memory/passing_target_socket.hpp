// A target socket of a unit that passes accesses on, as a bridge does. It declares what the target
// behind declares: whether that knows Heddle's extensions, and whether it completes at once.
//
// Handler has the members that one of direct_target_socket.hpp has, and behind(), the interface
// that accesses go on to. A poll_question ends here: nobody sleeps through polls of what is behind.
#pragma once

#include <tlm>

#include "platform/poll/poll_question.hpp"
#include "transactors/memory/target_declaration.hpp"

namespace heddle {

template <class Handler>
class passing_target_socket final : public tlm::tlm_target_socket<32>,
                                    private tlm::tlm_fw_transport_if<> {
 public:
  passing_target_socket(const char* name, Handler handler)
      : tlm::tlm_target_socket<32>(name), handler_(handler) {
    this->bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    handler_.b_transport(payload, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return handler_.nb_transport_fw(payload, phase, delay);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
    return handler_.get_direct_mem_ptr(payload, dmi);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    if (auto* question = payload.get_extension<poll_question>()) question->reach(*this);
    auto* const declaration = payload.get_extension<target_declaration>();
    if (!declaration) return handler_.transport_dbg(payload);
    const target_declaration::interface* const asked = declaration->asked;
    declaration->asked = handler_.behind();
    handler_.behind()->transport_dbg(payload);
    declaration->completes_at_once = declaration->completes_at_once && asked == this;
    declaration->blocking = asked == this ? blocking_call::to(handler_) : blocking_call();
    declaration->asked = asked;
    return 0;
  }

  Handler handler_;
};

}  // namespace heddle
