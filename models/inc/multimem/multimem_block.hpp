// A block of an operation on its way: what a thread block does in one turn of its loop.
#pragma once

#include <cstdint>

#include "platform/explain/running_cause.hpp"
#include "transactors/memory/memory_requester.hpp"

namespace heddle {

struct multimem_block {
  void clear() {
    slice.reset();
    is_stored_next = false;
    why = {};
  }

  std::uint32_t operation = 0;  // a failed one leaves blocks behind
  std::uint32_t offset = 0;
  std::uint64_t address = 0;  // of its next access
  std::uint32_t bytes = 0;
  std::uint32_t packets = 0;
  std::uint32_t packet_offset = 0;  // where in a packet of the region it begins
  std::uint16_t step = 0;
  bool is_stored_next = false;  // loaded, and to be stored to the region
  cause why;
  payload_slice slice;        // its data, on the way from the load to the store
  std::uint64_t operand = 0;  // of an atomic
  std::uint64_t former = 0;   // what it returns
};

struct multimem_access {
  multimem_block* block = nullptr;
};
using multimem_requester = memory_requester<multimem_access>;

}  // namespace heddle
