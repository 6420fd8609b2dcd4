// A stimulus of the memory plane: makes accesses of every kind and records what comes back.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <vector>

#include "platform/unit/unit.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class memory_initiator final : public unit {
 public:
  struct result {
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    fs_t done = 0;  // absolute: now plus the annotated delay
  };
  struct phase_record {
    const tlm::tlm_generic_payload* payload;
    unsigned phase;
    fs_t when;
    tlm::tlm_response_status status;
  };

  explicit memory_initiator(const unit_context& context)
      : unit(context), socket("bus"), port_(*this, "bus", socket) {
    socket.register_nb_transport_bw(this, &memory_initiator::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &memory_initiator::invalidate);
  }

  // Blocking: inside a thread where the target may wait.
  result read(std::uint64_t address, void* to, std::uint32_t bytes, fs_t delay = 0) {
    return access(tlm::TLM_READ_COMMAND, address, to, bytes, delay);
  }
  result write(std::uint64_t address, const void* from, std::uint32_t bytes, fs_t delay = 0) {
    return access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes, delay);
  }
  // `before` gets what was there.
  result atomic_add(std::uint64_t address, std::uint64_t addend, std::uint64_t& before) {
    tlm::tlm_generic_payload payload;
    atomic_extension add;
    add.operand = addend;
    set_access(payload, tlm::TLM_IGNORE_COMMAND, address, &before, sizeof before);
    payload.set_extension(&add);
    const result got = transport(payload, 0);
    payload.clear_extension(&add);
    return got;
  }
  result transport(tlm::tlm_generic_payload& payload, fs_t delay) {
    sc_core::sc_time annotated = to_sc_time(delay);
    socket->b_transport(payload, annotated);
    return {payload.get_response_status(), now_fs() + to_fs(annotated)};
  }

  // Non-blocking: BEGIN_REQ; what follows is in `phases`.
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, fs_t delay = 0) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time annotated = to_sc_time(delay);
    if (keeps_rules && !payload.has_mm()) {
      payload.set_mm(&owner_);
      payload.acquire();
    }
    const auto returned = socket->nb_transport_fw(payload, phase, annotated);
    if (returned != tlm::TLM_ACCEPTED) record(payload, phase, annotated);
    return returned;
  }
  tlm::tlm_sync_enum end_response(tlm::tlm_generic_payload& payload) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time annotated;
    return socket->nb_transport_fw(payload, phase, annotated);
  }

  unsigned debug(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, data, bytes);
    return socket->transport_dbg(payload);
  }
  bool ask_for_pointer(std::uint64_t address, tlm::tlm_dmi& dmi) {
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_READ_COMMAND, address, nullptr, 0);
    return socket->get_direct_mem_ptr(payload, dmi);
  }

  tlm_utils::simple_initiator_socket<memory_initiator> socket;
  std::vector<phase_record> phases;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;
  bool completes_responses = true;  // false: the test sends END_RESP

  bool keeps_rules = true;  // payloads of non-blocking accesses get a memory manager

 private:
  result access(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes,
                fs_t delay) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, data, bytes);
    return transport(payload, delay);
  }
  void record(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
              const sc_core::sc_time& delay) {
    phases.push_back({&payload, phase, now_fs() + to_fs(delay), payload.get_response_status()});
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    record(payload, phase, delay);
    return phase == tlm::BEGIN_RESP && completes_responses ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void invalidate(sc_dt::uint64 from, sc_dt::uint64 to) { invalidated.emplace_back(from, to); }

  memory_initiator_port port_;
  // The test owns its payloads.
  struct owner final : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload*) override {}
  };
  owner owner_;
};

}  // namespace heddle
