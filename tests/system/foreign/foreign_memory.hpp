// Memories as somebody else would write them: SystemC's own convenience sockets, the base protocol,
// none of Heddle's extensions. Four styles of answering, each with and without direct access:
//
//   annotated   adds its latency to the delay and returns
//   waiting     waits for it inside b_transport
//   phased      approximately timed: END_REQ, then BEGIN_RESP
//   acquiring   the same, and holds every payload for a microsecond after its end, to see whether
//               anybody touches it
//
// Limitations: no byte enables, no streaming; the acquiring one does not look at blocking accesses.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <deque>

#include "platform/time/timed_queue.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

struct foreign_memory_parameters : parameter_set {
  parameter<byte_size> size{*this, "size", 1_MiB, "capacity", "a test"};
  parameter<duration> latency{*this, "latency", 100_ns, "request to response", "a test"};
  parameter<bandwidth> rate{*this, "bandwidth", 4800_GBps, "taken and not modeled", "a test"};
  parameter<duration> atomic{*this, "atomic", 0_ns, "taken and not modeled", "a test"};
  parameter<duration> word{*this, "word", 0_ns, "taken and not modeled", "a test"};
};

enum class foreign_style { annotated, waiting, phased, acquiring };

// Bytes that the kernel provides when they are touched, in one piece.
class mapped_bytes {
 public:
  explicit mapped_bytes(std::size_t size);
  ~mapped_bytes();
  mapped_bytes(const mapped_bytes&) = delete;
  mapped_bytes& operator=(const mapped_bytes&) = delete;
  unsigned char* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  unsigned char* data_;
  std::size_t size_;
};

class foreign_memory : public unit {
 public:
  using counters = statistic_set;
  static std::vector<port_description> port_descriptions() {
    return {{"in", "memory target", "every access"}};
  }

 protected:
  foreign_memory(const unit_context& context, const foreign_memory_parameters& p,
                 foreign_style style, bool grants_direct_access);

 private:
  struct held {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    const unsigned char* data = nullptr;
    unsigned bytes = 0;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void perform(tlm::tlm_generic_payload& payload);
  void end_requests();
  void begin_responses();
  void end_response(tlm::tlm_generic_payload& payload);
  void let_go();

  const foreign_style style_;
  const bool grants_direct_access_;
  const fs_t latency_;
  mapped_bytes bytes_;
  tlm_utils::simple_target_socket<foreign_memory> socket_;
  memory_target_port port_;
  timed_queue<tlm::tlm_generic_payload*> accepted_, performed_;
  timed_queue<held> held_;
  std::deque<tlm::tlm_generic_payload*> responses_;  // the first one is under way
};

}  // namespace heddle
