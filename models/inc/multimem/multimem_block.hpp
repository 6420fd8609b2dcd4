// A block of an operation on its way: what a thread block does in one turn of its loop.
#pragma once

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "platform/explain/running_cause.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

struct multimem_block;

// Leads from the payload back to its block.
struct multimem_bulk final : bulk_extension {
  multimem_block* block = nullptr;
};

struct multimem_block {
  multimem_block() {
    bulk.block = this;
    payload.set_extension<bulk_extension>(&bulk);
  }
  multimem_block(const multimem_block&) = delete;
  multimem_block& operator=(const multimem_block&) = delete;
  ~multimem_block() {  // extensions are not the payload's to free
    clear();
    payload.clear_extension<bulk_extension>();
  }
  void clear() {
    bulk.slice.reset();
    payload.clear_extension(&reduction);
    payload.clear_extension(&add);
    is_stored_next = false;
    why = {};
  }

  std::uint32_t operation = 0;  // a failed one leaves blocks behind
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t packets = 0;
  bool is_stored_next = false;  // loaded, and to be stored to the region
  cause why;
  tlm::tlm_generic_payload payload;
  multimem_bulk bulk;
  multimem_extension reduction;
  atomic_extension add;
  std::uint64_t former = 0;  // what an atomic returns

  static multimem_block& of(const tlm::tlm_generic_payload& payload) {
    return *static_cast<const multimem_bulk*>(payload.get_extension<bulk_extension>())->block;
  }
};

}  // namespace heddle
