#include "models/gpu/hub/hub_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "transactors/memory/access.hpp"

namespace heddle {

// Callers must not schedule anything for fs_never: an item that is due then would keep the agenda
// from ever being empty.
fs_t hub_memory::access(tlm::tlm_command command, std::uint64_t address, const payload_slice& data,
                        std::uint32_t bytes, fs_t start) {
  void* where = data ? const_cast<std::byte*>(data.data()) : no_data_;
  const auto [done, is_ok] =
      requester_.access(command, address, where, bytes, start, static_cast<bool>(data), data);
  if (is_ok) return done;
  fail(command, address, bytes);
  return fs_never;
}

bool hub_memory::debug(tlm::tlm_command command, std::uint64_t address, void* data,
                       std::uint64_t bytes) {
  tlm::tlm_generic_payload payload;
  constexpr std::uint64_t at_once = 1 << 20;
  for (std::uint64_t done = 0; done < bytes; done += at_once) {
    const auto some = static_cast<std::uint32_t>(std::min(at_once, bytes - done));
    set_access(payload, command, address + done, static_cast<std::byte*>(data) + done, some);
    if (requester_.socket()->transport_dbg(payload) == some) continue;
    fail(command, address + done, some);
    return false;
  }
  return true;
}

void hub_memory::fail(tlm::tlm_command command, std::uint64_t address, std::uint64_t bytes) {
  const char* const what = command == tlm::TLM_READ_COMMAND ? "read" : "write";
  status_.fail(
      layer_status::error::BUS, 0, 0,
      fmt::format("memory refuses to {} {} B at {:#x}: an address of the layer or of a command",
                  what, bytes, address));
}

}  // namespace heddle
