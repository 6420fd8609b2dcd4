#include "models/cpu/bus_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/registers/address_name_extension.hpp"
#include "platform/text/diagnostic.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {

namespace {

// Whether anybody serves the address; `asked` gets the name of its register.
template <class Bus>
bool ask(Bus& bus, std::uint64_t address, address_name_extension& asked) {
  std::uint32_t nobody_reads_this = 0;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_READ_COMMAND, address, &nobody_reads_this, sizeof(std::uint32_t));
  payload.set_extension(&asked);
  const bool is_served = bus->transport_dbg(payload) > 0;
  payload.clear_extension(&asked);
  return is_served;
}

}  // namespace

std::string bus_view::described(std::uint64_t address) const {
  address_name_extension asked;
  const bool is_served = ask(socket_.get_base_port(), address, asked);
  if (!asked.name.empty()) return fmt::format("{:#x} ({})", address, asked.name);
  return fmt::format("{:#x}{}", address, is_served ? "" : " (nothing is there)");
}

std::string bus_view::register_name(std::uint64_t address) const {
  address_name_extension asked;
  ask(socket_.get_base_port(), address, asked);
  return asked.name;
}

std::uint64_t bus_view::access(tlm::tlm_command command, std::uint64_t address, void* data,
                               std::uint64_t bytes) const {
  constexpr std::uint64_t most = 1U << 30;
  auto* at = static_cast<unsigned char*>(data);
  std::uint64_t done = 0;
  while (done < bytes) {
    const auto part = static_cast<std::uint32_t>(std::min(bytes - done, most));
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address + done, at + done, part);
    if (socket_.get_base_port()->transport_dbg(payload) != part) break;
    done += part;
  }
  return done;
}

void bus_view::refuse(std::uint64_t address, std::uint64_t bytes) const {
  throw user_error(fmt::format("{}: no memory for {} bytes at {:#x}", path_, bytes, address));
}

void bus_view::write(std::uint64_t address, const void* from, std::uint64_t bytes) const {
  const std::uint64_t done =
      access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes);
  if (done != bytes) refuse(address + done, bytes - done);
}

void bus_view::read(std::uint64_t address, void* to, std::uint64_t bytes) const {
  const std::uint64_t done = access(tlm::TLM_READ_COMMAND, address, to, bytes);
  if (done != bytes) refuse(address + done, bytes - done);
}

bool bus_view::try_read(std::uint64_t address, void* to, std::uint64_t bytes) const {
  return try_access(tlm::TLM_READ_COMMAND, address, to, bytes);
}

bool bus_view::try_access(tlm::tlm_command command, std::uint64_t address, void* data,
                          std::uint64_t bytes) const {
  return access(command, address, data, bytes) == bytes;
}

}  // namespace heddle
