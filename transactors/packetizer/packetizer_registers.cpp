// The packetizer and registers of devices inside switches: what a core has to know of those that it
// accesses by addresses of the network, and what they have to know of the core.
#include "platform/contracts/access_origin.hpp"
#include "platform/registers/address_name_extension.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/packetizer/origin_header.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {

std::vector<network_register_file> packetizer::registers_behind() const {
  std::vector<network_register_file> found;
  for (const fabric::endpoint_registers& each : fabric_.registers())
    if (reaches(each.at)) found.push_back(each.file);
  return found;
}

// The registers of a device in a switch that hold this address of the network; none where there is
// no such device or it cannot be reached.
network_register_file packetizer::registers_at(std::uint64_t address) const {
  for (const fabric::endpoint_registers& each : fabric_.registers()) {
    const network_register_file& file = each.file;
    if (address - file.base < file.registers->description().size && reaches(each.at)) return file;
  }
  return {};
}

// For messages, as a register block on the bus does. False: no registers are there.
bool packetizer::name_address(address_name_extension& asked, std::uint64_t address) const {
  const network_register_file file = registers_at(address);
  if (!file.registers) return false;
  const std::string name = file.registers->register_name(address - file.base);
  asked.name = file.registers->path() + (name.empty() ? "" : " " + name);
  return true;
}

// A core goes on before a write that it posts has arrived, so what it accesses is told here, with
// the time of issue.
void packetizer::name_registers(const tlm::tlm_generic_payload& payload) const {
  auto* const origin = payload.get_extension<access_origin>();
  if (!origin) return;
  const network_register_file file = registers_at(payload.get_address());
  if (!file.registers) return;
  origin->device = file.registers;
  origin->offset = payload.get_address() - file.base;
  origin->cell = file.registers->find(origin->offset);
  origin->time = now_fs();
}

void packetizer::carry_origin(const tlm::tlm_generic_payload& payload, packet& request) {
  if (const auto* origin = payload.get_extension<access_origin>())
    request.header.attach<origin_header>().origin = *origin;
}

void packetizer::take_origin(const packet& response, tlm::tlm_generic_payload& payload) {
  const auto* told = response.header.as<origin_header>();
  auto* const origin = told ? payload.get_extension<access_origin>() : nullptr;
  if (!origin || !told->origin.device) return;
  origin->device = told->origin.device;
  origin->cell = told->origin.cell;
  origin->offset = told->origin.offset;
  origin->time = told->origin.time;
}

}  // namespace heddle
