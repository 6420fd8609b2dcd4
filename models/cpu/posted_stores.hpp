// Stores and atomics without result that a core has sent over the fabric and does not wait for. One
// that is refused far away fails the run, with the line of the program that made it.
#pragma once

#include <systemc>
#include <vector>

#include "models/cpu/bus_view.hpp"
#include "platform/contracts/access_origin.hpp"
#include "platform/explain/running_cause.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

class simulation;

class posted_stores final : private posted_issuer {
 public:
  // Sends the stores of `core`. All references must outlive the object.
  posted_stores(simulation& sim, const access_initiator& core, const bus_view& view);

  // The extension for the payload of such an access. It belongs to this object, not to the payload.
  posted_extension& extension() { return extension_; }
  // States the address of the access that is made next, and the code that makes it.
  void announce(std::uint64_t address, const code_point& point) { announced_ = {address, point}; }
  std::size_t under_way() const { return under_way_.size(); }
  const cause& why() const { return why_; }  // the last of them has ended
  void wait() {
    while (!under_way_.empty()) sc_core::wait(all_done_);
  }

 private:
  struct store {
    std::uint64_t address = 0;
    code_point point;
  };

  void posted_begins() override { under_way_.push_back(announced_); }
  void posted_ends(std::uint64_t address, bool is_ok) override;
  void refuse(std::uint64_t address, const code_point& point);

  simulation& sim_;
  const access_initiator& core_;
  const bus_view& view_;
  posted_extension extension_;
  store announced_;
  std::vector<store> under_way_;
  cause why_;
  sc_core::sc_event all_done_;
};

}  // namespace heddle
