// The interrupt inputs of a core: external lines, any of which raises MEIP, and those of a clint.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/cpu/rv/any_hart.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class interrupt_lines final : private interrupt_sink {
 public:
  // Makes the ports `irq[external]`, `software` and `timer`.
  interrupt_lines(unit& core, rv::any_hart& hart, int external);

  // Returns when an interrupt is pending that ends WFI, in the core's thread.
  void wait() {
    while (!hart_.is_woken()) sc_core::wait(raised_);
  }

  // The program has waited: it knows of the lines that are up.
  void note_seen() { external_seen_ = external_up_; }
  void forget_seen() { external_seen_ = 0; }                      // it does something about them
  std::uint64_t external_seen() const { return external_seen_; }  // and up since then

 private:
  void set_interrupt(int line, bool is_up) override;
  void add_port(unit& core, const std::string& name, int line);

  static constexpr int software_line = 64, timer_line = 65;  // behind the external ones

  rv::any_hart& hart_;
  std::vector<std::unique_ptr<interrupt_input_port>> ports_;
  std::uint64_t external_up_ = 0, external_seen_ = 0;
  sc_core::sc_event raised_;
};

}  // namespace heddle
