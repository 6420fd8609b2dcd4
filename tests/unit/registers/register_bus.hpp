// Accesses to the test block, as a bus would make them.
#pragma once

#include <spdlog/spdlog.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/unit/registers/everything_regs.hpp"

struct access_result {
  tlm::tlm_response_status status;
  std::uint64_t data;
};

struct register_bus {
  heddle::register_audit_log audit;
  heddle::everything_registers regs{"soc.dut", audit};
  std::vector<unsigned char> enables;  // none: all bytes
  tlm::tlm_generic_payload payload;

  register_bus() { spdlog::set_level(spdlog::level::off); }

  void prepare(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
               unsigned length) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  access_result access(tlm::tlm_command command, std::uint64_t address, std::uint64_t value,
                       unsigned length) {
    std::array<unsigned char, 16> data{};
    std::memcpy(data.data(), &value, sizeof value);
    prepare(command, address, data.data(), length);
    sc_core::sc_time delay;
    regs.b_transport(payload, delay);
    std::memcpy(&value, data.data(), sizeof value);
    return {payload.get_response_status(), value};
  }

  tlm::tlm_response_status write(std::uint64_t address, std::uint64_t value, unsigned length = 4) {
    return access(tlm::TLM_WRITE_COMMAND, address, value, length).status;
  }
  access_result read(std::uint64_t address, unsigned length = 4, std::uint64_t background = 0) {
    return access(tlm::TLM_READ_COMMAND, address, background, length);
  }
  // The data of a read that must succeed; an impossible value otherwise.
  std::uint64_t value(std::uint64_t address, unsigned length = 4) {
    const access_result result = read(address, length);
    return result.status == tlm::TLM_OK_RESPONSE ? result.data : 0xdead'dead'dead'deadULL;
  }
};
