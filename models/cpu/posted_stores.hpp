// Stores and atomics without result that a core has sent over the fabric and does not wait for.
#pragma once

#include <functional>
#include <systemc>

#include "platform/explain/running_cause.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

class posted_stores final : private posted_issuer {
 public:
  // `refused` is told the address of one that nobody performed.
  explicit posted_stores(std::function<void(std::uint64_t)> refused)
      : refused_(std::move(refused)) {
    extension_.issuer = this;
  }

  // Goes with the payload of such an access; stays the owner of this object.
  posted_extension& extension() { return extension_; }
  int under_way() const { return under_way_; }
  const cause& why() const { return why_; }  // the last of them has ended
  void wait() {
    while (under_way_ > 0) sc_core::wait(all_done_);
  }

 private:
  void posted_begins() override { ++under_way_; }
  void posted_ends(std::uint64_t address, bool is_ok) override {
    if (!is_ok) refused_(address);
    why_.join(running_cause::copy());
    if (--under_way_ == 0) all_done_.notify(sc_core::SC_ZERO_TIME);
  }

  std::function<void(std::uint64_t)> refused_;
  posted_extension extension_;
  int under_way_ = 0;
  cause why_;
  sc_core::sc_event all_done_;
};

}  // namespace heddle
