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

class multimem_block_pool {
 public:
  ~multimem_block_pool() {
    for (auto& each : all_) {  // not the payload's to free
      each->payload.clear_extension<bulk_extension>();
      each->payload.clear_extension(&each->reduction);
      each->payload.clear_extension(&each->add);
    }
  }
  multimem_block& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<multimem_block>());
      all_.back()->bulk.block = all_.back().get();
      all_.back()->payload.set_extension<bulk_extension>(&all_.back()->bulk);
      free_.push_back(all_.back().get());
    }
    multimem_block& taken = *free_.back();
    free_.pop_back();
    return taken;
  }
  void give_back(multimem_block& used) {
    used.bulk.slice.reset();
    used.payload.clear_extension(&used.reduction);
    used.payload.clear_extension(&used.add);
    used.is_stored_next = false;
    used.why = {};
    free_.push_back(&used);
  }

 private:
  std::vector<std::unique_ptr<multimem_block>> all_;
  std::vector<multimem_block*> free_;
};

}  // namespace heddle
