// What a core that executes instructions counts.
#pragma once

#include "platform/unit/statistic.hpp"

namespace heddle {

struct rv_core_counters : statistic_set {
  statistic instructions{*this, "instructions", quantity::count, "instructions executed"};
  statistic reads{*this, "reads", quantity::count, "loads from the bus"};
  statistic writes{*this, "writes", quantity::count, "stores and atomics to the bus"};
  statistic polls{*this, "polls", quantity::count, "loads made while polling"};
  statistic poll_time{*this, "poll_time", quantity::time, "time spent polling"};
  statistic sleep_time{*this, "sleep_time", quantity::time, "time in WFI"};
  statistic interrupts{*this, "interrupts", quantity::count, "interrupts taken"};
};

}  // namespace heddle
