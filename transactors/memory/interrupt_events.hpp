// The interrupt line of a register block with irq_status and irq_enable, which have a bit for each
// event: it is up while an event is both set and enabled.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "transactors/memory/memory_port.hpp"

namespace heddle {

template <class Registers>
class interrupt_events {
 public:
  // `cleared` hears of events that software has cleared.
  interrupt_events(unit& owner, Registers& registers,
                   std::function<void(std::uint64_t events)> cleared = {})
      : registers_(registers), line_(owner, "irq"), cleared_(std::move(cleared)) {
    registers_.irq_status.on_write([this](std::uint64_t before, std::uint64_t now) {
      if (cleared_) cleared_(before & ~now);
      update();
    });
    registers_.irq_enable.on_write([this](std::uint64_t, std::uint64_t) { update(); });
  }
  interrupt_events(const interrupt_events&) = delete;
  interrupt_events& operator=(const interrupt_events&) = delete;

  void raise(std::uint64_t events) {
    using word = decltype(registers_.irq_status.value());
    registers_.irq_status.set(static_cast<word>(registers_.irq_status.value() | events));
    update();
  }

 private:
  void update() { line_.set((registers_.irq_status.value() & registers_.irq_enable.value()) != 0); }

  Registers& registers_;
  interrupt_output_port line_;
  std::function<void(std::uint64_t events)> cleared_;
};

}  // namespace heddle
