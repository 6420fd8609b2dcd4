// A pipelined target of the memory plane with bytes behind it: END_REQ comes `accept` after the
// request, BEGIN_RESP `respond` after END_REQ. Addresses from `broken` on get an error.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <vector>

#include "models/memory/sparse_store.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class delayed_target final : public unit {
 public:
  struct request {
    fs_t when = 0;
    bool is_write = false;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };

  delayed_target(const unit_context& context, std::uint64_t store_base)
      : unit(context),
        bytes(1 << 24),
        base_(store_base),
        socket_("in"),
        port_(*this, "in", socket_),
        accepted_(queue::to<delayed_target, &delayed_target::end_requests>(*this)),
        answered_(queue::to<delayed_target, &delayed_target::begin_responses>(*this)) {
    socket_.register_nb_transport_fw(this, &delayed_target::nb_transport_fw);
  }

  sparse_store bytes;
  fs_t accept = 10 * fs_per_ns, respond = 300 * fs_per_ns;
  std::uint64_t broken = UINT64_MAX;
  std::vector<request> requests;

 private:
  using queue = timed_queue<tlm::tlm_generic_payload*>;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    const fs_t when = now_fs() + to_fs(delay);
    requests.push_back(
        {when, payload.is_write(), payload.get_address(), payload.get_data_length()});
    accepted_.push(when + accept, &payload);
    answered_.push(when + accept + respond, &payload);
    return tlm::TLM_ACCEPTED;
  }
  void end_requests() {
    for (tlm::tlm_generic_payload* due = nullptr; accepted_.pop_due(now_fs(), due);)
      call_back(*due, tlm::END_REQ);
  }
  void begin_responses() {
    for (tlm::tlm_generic_payload* due = nullptr; answered_.pop_due(now_fs(), due);) {
      const std::uint64_t place = due->get_address() - base_;
      const bool is_ok = due->get_address() < broken;
      if (is_ok && due->is_write()) bytes.write(place, due->get_data_ptr(), due->get_data_length());
      if (is_ok && due->is_read()) bytes.read(place, due->get_data_ptr(), due->get_data_length());
      due->set_response_status(is_ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
      call_back(*due, tlm::BEGIN_RESP);
    }
  }
  void call_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    socket_->nb_transport_bw(payload, phase, delay);
  }

  std::uint64_t base_;
  tlm_utils::simple_target_socket<delayed_target> socket_;
  memory_target_port port_;
  queue accepted_, answered_;
};

}  // namespace heddle
