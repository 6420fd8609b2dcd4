// The memory of a core that serves without the bus, like a cache that always hits: the pages inside
// `local` to which the bus grants direct access.
#pragma once

#include <cstdint>
#include <tlm>

#include "transactors/memory/memory_port.hpp"

namespace heddle {

class direct_memory {
 public:
  static constexpr std::uint64_t page_bytes = 4096;

  // `bus` must outlive it.
  direct_memory(memory_initiator_base& bus, std::uint64_t local, std::uint64_t local_bytes)
      : bus_(bus), local_(local), local_bytes_(local_bytes) {}

  std::uint64_t begin() const { return local_; }
  bool is_local(std::uint64_t address) const { return address - local_ < local_bytes_; }
  // The page that holds the address, if all of it may be read and written directly; else nullptr.
  unsigned char* page(std::uint64_t address);
  void forget() { has_region_ = false; }  // what was granted is withdrawn

 private:
  bool holds(std::uint64_t first) const;

  memory_initiator_base& bus_;
  const std::uint64_t local_, local_bytes_;
  tlm::tlm_dmi region_;  // granted last
  bool has_region_ = false;
};

}  // namespace heddle
