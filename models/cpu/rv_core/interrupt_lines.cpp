#include "models/cpu/rv_core/interrupt_lines.hpp"

#include <fmt/format.h>

namespace heddle {

interrupt_lines::interrupt_lines(unit& core, rv::any_hart& hart, int external) : hart_(hart) {
  for (int i = 0; i < external; ++i) add_port(core, fmt::format("irq[{}]", i), i);
  add_port(core, "software", software_line);
  add_port(core, "timer", timer_line);
}

void interrupt_lines::add_port(unit& core, const std::string& name, int line) {
  interrupt_sink& sink = *this;
  ports_.push_back(std::make_unique<interrupt_input_port>(core, name, sink, line));
}

void interrupt_lines::set_interrupt(int line, bool is_up) {
  if (line == software_line) {
    hart_.set_pending(rv::interrupt::software, is_up);
  } else if (line == timer_line) {
    hart_.set_pending(rv::interrupt::timer, is_up);
  } else {
    const std::uint64_t bit = std::uint64_t{1} << line;
    external_up_ = is_up ? external_up_ | bit : external_up_ & ~bit;
    external_seen_ &= external_up_;
    hart_.set_pending(rv::interrupt::external, external_up_ != 0);
  }
  if (hart_.is_interrupted()) hart_.set_limit(0);
  if (hart_.is_woken()) raised_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace heddle
