// The host registers of a core (firmware_host.regs.yaml) at their addresses, where they hide what
// the bus has there.
#pragma once

#include <cstdint>
#include <tlm>

#include "models/cpu/rv_core/firmware_host_regs.hpp"

namespace heddle {

class host_window {
 public:
  host_window(const unit_context& context, std::uint64_t address)
      : registers_(context), address_(address) {}

  bool holds(std::uint64_t address) const { return address - address_ < bytes; }
  firmware_host_registers& registers() { return registers_; }
  // An access in simulated time, at an address of the core; returns its response.
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);
  // In no time. False where no register is.
  bool debug_access(tlm::tlm_command command, std::uint64_t address, void* data,
                    std::uint64_t bytes_wanted);

 private:
  static constexpr std::uint64_t bytes = 0x100;

  firmware_host_registers registers_;
  const std::uint64_t address_;
};

}  // namespace heddle
