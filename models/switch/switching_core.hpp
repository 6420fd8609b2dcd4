// How a switch gets packets from its inputs to its outputs. The switch owns ports and routes; a
// core owns queues and arbitration.
#pragma once

#include <cassert>
#include <string>

#include "transactors/fabric/standstill.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

struct switch_counters : statistic_set {
  statistic packets{*this, "packets", quantity::count, "packets forwarded"};
  statistic queued{*this, "queued", quantity::count,
                   "packets that found their output busy or without credits"};
  statistic wait{*this, "wait", quantity::time,
                 "summed time from ready to forward until the output took the packet"};
  statistic peak_queue{*this, "peak_queue", quantity::count,
                       "most packets waiting for one output at a time"};
  statistic device_packets{*this, "device_packets", quantity::count,
                           "packets sent by in-network devices"};
  statistic peak_device_queue{*this, "peak_device_queue", quantity::count,
                              "most packets of in-network devices waiting for one output"};
};

class switching_core : public packet_receiver {
 public:
  virtual ~switching_core() = default;
  // Every port is bound and routed; called once.
  virtual void start() = 0;
  // Queues a packet of a stage; only where the core takes stages.
  virtual void transmit(int /*port*/, packet& /*p*/) { assert(false); }
  // Packets that wait for an output.
  virtual std::uint64_t load_of(int port) const = 0;
  // The packets at the heads of its queues.
  virtual void add_waiting(std::vector<waiting_packet>& /*all*/) const {}
  // One line for the hang report, "" when nothing waits.
  virtual std::string waiting_for() const = 0;
};

}  // namespace heddle
