// What a core sees of its bus without simulated time: names of addresses, and bytes.
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "transactors/memory/memory_port.hpp"

namespace heddle {

class bus_view {
 public:
  // Messages begin with the path of the core.
  bus_view(memory_initiator_base& socket, std::string path)
      : socket_(socket), path_(std::move(path)) {}

  // "0x101cc (gpu[0].dma channel[3].doorbell)", for messages.
  std::string described(std::uint64_t address) const;
  // Throw user_error where nothing answers.
  void write(std::uint64_t address, const void* from, std::uint64_t bytes) const;
  void read(std::uint64_t address, void* to, std::uint64_t bytes) const;
  // Empty where no registers are.
  std::string register_name(std::uint64_t address) const;
  // False where nothing answers.
  bool try_read(std::uint64_t address, void* to, std::uint64_t bytes) const;
  bool try_access(tlm::tlm_command command, std::uint64_t address, void* data,
                  std::uint64_t bytes) const;

 private:
  // How many bytes were reached.
  std::uint64_t access(tlm::tlm_command command, std::uint64_t address, void* data,
                       std::uint64_t bytes) const;
  [[noreturn]] void refuse(std::uint64_t address, std::uint64_t bytes) const;

  memory_initiator_base& socket_;
  std::string path_;
};

}  // namespace heddle
