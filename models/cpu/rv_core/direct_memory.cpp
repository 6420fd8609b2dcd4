#include "models/cpu/rv_core/direct_memory.hpp"

#include "transactors/memory/access.hpp"

namespace heddle {

bool direct_memory::holds(std::uint64_t first) const {
  const std::uint64_t last = first + (page_bytes - 1);
  return has_region_ && region_.get_start_address() <= first && last <= region_.get_end_address();
}

// Memory grants regions; a page counts when all of it lies in one.
unsigned char* direct_memory::page(std::uint64_t address) {
  if (!is_local(address)) return nullptr;
  const std::uint64_t first = address / page_bytes * page_bytes;
  if (!holds(first)) {
    tlm::tlm_generic_payload asking;
    set_access(asking, tlm::TLM_READ_COMMAND, address, nullptr, 0);
    region_.init();
    has_region_ = bus_.get_base_port()->get_direct_mem_ptr(asking, region_) &&
                  region_.is_read_write_allowed();
    if (!holds(first)) return nullptr;
  }
  return region_.get_dmi_ptr() + (first - region_.get_start_address());
}

}  // namespace heddle
