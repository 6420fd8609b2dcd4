// A generic payload that travels through non-blocking transport, with the extensions that Heddle's
// initiators add. Its memory manager is the requester that it was taken from.
#pragma once

#include <tlm>

#include "platform/time/fs_time.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

struct memory_access : tlm::tlm_generic_payload {
  memory_access() { set_extension(&bulk); }
  memory_access(const memory_access&) = delete;
  memory_access& operator=(const memory_access&) = delete;
  ~memory_access() override {  // the extensions are members, not the payload's to free
    for (unsigned i = 0; i < tlm::max_num_extensions(); ++i) set_extension(i, nullptr);
  }

  // Neither an atomic nor a reduction, as nearly all are: spares them two calls.
  void set_plain() {
    if (!is_special_) return;
    clear_extension(&atomic);
    clear_extension(&reduction);
    is_special_ = false;
  }
  void set_atomic() {
    set_extension(&atomic);
    is_special_ = true;
  }
  void set_reduction() {
    set_extension(&reduction);
    is_special_ = true;
  }

  bulk_extension bulk;
  atomic_extension atomic;       // counts once it is set
  multimem_extension reduction;  // likewise
  fs_t not_before = 0;           // of a request that waits for those in front of it

 private:
  bool is_special_ = false;
};

}  // namespace heddle
