// The bus of a core, which runs firmware natively or by instructions: its socket, and one access
// with everything that is told about it. An access carries the line of the program that makes it,
// is added to the chain of causes that the core is in, and is written to the log of accesses.
// Stores are posted: they go their own way, and a fence waits for them.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <string>

#include "models/cpu/bus_view.hpp"
#include "models/cpu/flag_directory.hpp"
#include "models/cpu/posted_stores.hpp"
#include "platform/buffers/firmware_origin.hpp"
#include "platform/contracts/access_origin.hpp"
#include "platform/contracts/register_audit.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/firmware/rank_core.hpp"
#include "platform/run/mmio_log.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class unit;

// For messages: "read", "write", "atomic add".
std::string kind_of(const tlm::tlm_generic_payload& access);

class core_bus {
 public:
  struct outcome {
    bool is_ok = false;
    bool is_told = false;  // the registers have told why they refused it
    fs_t end = 0;          // when the access is over, beyond simulated time perhaps
  };

  // Makes the port `bus`. `core` and `rank` are the same object, which must outlive this.
  core_bus(unit& core, access_initiator& initiator, rank_core& rank);

  // At the core's own time `start`, from the instruction `from`; may wait. A payload that carries
  // the extension of posted() is a posted store.
  outcome access(tlm::tlm_generic_payload& payload, fs_t start, const code_point& from);
  // A posted store that was accepted arrives at `when`.
  void note_arrival(fs_t when) {
    if (when > stores_done_) stores_done_ = when;
  }
  fs_t stores_done() const { return stores_done_; }  // when the last posted store has arrived

  // The time up to `when`, the core's own, counts as `what` on the critical path.
  void spend(category what, fs_t when);
  // The chain of causes that the core is in; who wrote what the last access has read.
  cause& why() { return rank_.why(); }
  const cause& seen() const { return seen_; }

  const bus_view& view() const { return view_; }
  bool is_logged() const { return mmio_log_ != nullptr; }
  firmware_origin& origin() { return origin_; }
  const firmware_origin& origin() const { return origin_; }
  posted_stores& posted() { return posted_; }
  const register_audit_log& audit() const { return audit_; }
  tlm_utils::simple_initiator_socket<core_bus>& socket() { return socket_; }
  // Direct access that was granted is withdrawn.
  std::function<void()> on_withdrawal;
  // Code, data and stack of the core's program, which may be read before they are written.
  void set_private(std::uint64_t first, std::uint64_t bytes) {
    private_first_ = first;
    private_bytes_ = bytes;
  }

 private:
  static void refuse_if_undone(tlm::tlm_generic_payload& payload);
  const flag_area* flags_of_another(std::uint64_t address);
  void report_unfenced_flag(const tlm::tlm_generic_payload& payload, fs_t when,
                            const code_point& from);
  // What the platform lays out in the core's memory counts as written; so does what the core's
  // program uses itself.
  bool is_private(std::uint64_t address) const {
    return address - resources_.window < laid_out_ || address - private_first_ < private_bytes_;
  }
  void withdraw(sc_dt::uint64, sc_dt::uint64) {
    if (on_withdrawal) on_withdrawal();
  }

  rank_core& rank_;
  const rank_resources resources_;
  register_audit_log& audit_;
  tlm_utils::simple_initiator_socket<core_bus> socket_;
  memory_initiator_port port_;
  bus_view view_;
  posted_stores posted_;
  firmware_origin origin_;
  mmio_log* mmio_log_;  // nullptr: nobody wants it
  cause seen_;
  fs_t stores_done_ = 0;
  const std::uint64_t laid_out_;
  unit& core_;
  flag_directory& flags_;
  std::uint64_t private_first_ = 0, private_bytes_ = 0;
};

}  // namespace heddle
