// Transfers that engines have begun and that are not answered yet: simulation::service
// <open_transfers>(). What a job has handed over to a network may still be on its way when its last
// rank marks the end, and belongs to its bytes and its energy.
#pragma once

#include <cstdint>
#include <systemc>

namespace heddle {

class open_transfers {
 public:
  void begin() { ++open_; }
  void end() {
    if (--open_ == 0) none_.notify(sc_core::SC_ZERO_TIME);
  }
  bool is_none() const { return open_ == 0; }
  void await_none() const {
    while (!is_none()) sc_core::wait(none_);
  }

 private:
  std::uint64_t open_ = 0;
  sc_core::sc_event none_;
};

}  // namespace heddle
