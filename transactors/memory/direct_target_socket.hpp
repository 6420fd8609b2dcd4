// A target socket whose calls go straight to a handler's members. The convenience sockets put two
// or three indirect calls between, which is what a register access behind a bus costs most.
//
// Handler has b_transport(payload, delay), transport_dbg(payload), get_direct_mem_ptr(payload,
// dmi), nb_transport_fw(payload, phase, delay). `static constexpr bool completes_at_once = true`
// says that the latter answers every request with TLM_COMPLETED. A poll_question that arrives here
// has reached its receiver, and so has a target_declaration.
#pragma once

#include <tlm>
#include <type_traits>

#include "platform/poll/poll_question.hpp"
#include "transactors/memory/target_declaration.hpp"

namespace heddle {

template <class Handler>
class direct_target_socket final : public tlm::tlm_target_socket<32>,
                                   private tlm::tlm_fw_transport_if<> {
 public:
  direct_target_socket(const char* name, Handler handler)
      : tlm::tlm_target_socket<32>(name), handler_(handler) {
    this->bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }

 private:
  template <class T, class = void>
  struct completes : std::false_type {};
  template <class T>
  struct completes<T, std::enable_if_t<T::completes_at_once>> : std::true_type {};

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
    if (auto* declaration = payload.get_extension<target_declaration>()) {
      declaration->declare(*this, completes<Handler>::value, blocking_call::to(handler_));
      return 0;
    }
    return handler_.transport_dbg(payload);
  }

  Handler handler_;
};

}  // namespace heddle
