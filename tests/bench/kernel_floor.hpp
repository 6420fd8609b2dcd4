// What the kernel alone costs: processes that do nothing but wake each other's clocks. Each is a
// static SC_METHOD, sensitive to an event of its own, that notifies this event again after a random
// delay.
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>

#include "platform/random/random_stream.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

class kernel_floor final : public sc_core::sc_module {
 public:
  // Before elaboration ends. The mean delay is that of one process.
  kernel_floor(sc_core::sc_module_name name, int processes, fs_t mean_delay);

  // CPU seconds of one activation, over about this many of them. Outside processes, and while
  // nothing else happens in the simulation.
  double run(std::uint64_t activations);

 private:
  struct sleeper {
    explicit sleeper(kernel_floor& o) : owner(o) {}
    kernel_floor& owner;
    sc_core::sc_event wake;
    void activate();
  };

  sc_core::sc_time random_delay() {
    return to_sc_time(1 + random_.below(static_cast<std::uint32_t>(2 * mean_delay_)));
  }

  fs_t mean_delay_;
  std::deque<sleeper> sleepers_;
  random_stream random_{1, "kernel_floor"};
  bool is_running_ = false;
  std::uint64_t activations_ = 0;
};

}  // namespace heddle
