// What a packet switch counts.
#pragma once

#include "platform/unit/statistic.hpp"

namespace heddle {

struct switch_counters : statistic_set {
  statistic packets{*this, "packets", quantity::count, "packets forwarded"};
  statistic queued{*this, "queued", quantity::count,
                   "packets that found their output busy or without credits"};
  summed_time wait{*this, "wait",
                   "summed time from ready to forward until the output took the packet"};
  statistic peak_queue{*this, "peak_queue", quantity::count,
                       "most packets waiting for one output at a time"};
  statistic device_packets{*this, "device_packets", quantity::count,
                           "packets sent by in-network devices"};
  statistic peak_device_queue{*this, "peak_device_queue", quantity::count,
                              "most packets of in-network devices waiting for one output"};
};

}  // namespace heddle
