// The data sheet of an aggregator.
#pragma once

#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"
#include "platform/unit/statistic.hpp"
#include "transactors/packet/packet_format_parameters.hpp"

namespace heddle {

struct aggregator_parameters : packet_format_parameters {
  parameter<address> base{*this, "base", address{0}, "first address of its windows on the fabric",
                          "set by the netlist"};
  parameter<byte_size> stride{*this,
                              "stride",
                              4_GiB,
                              within(4_KiB, 1024_GiB),
                              "from the window of a group to that of the next",
                              "longer than any tensor of a memory of an accelerator's size"};
  choice_parameter reduces{*this, "reduces", one_of("yes", "no"),
                           "whether the switch has reduction units; without them it only copies",
                           "in-network collectives 1: three separate capabilities"};
  parameter<byte_size> buffer{*this,
                              "buffer",
                              4_MiB,
                              within(128_B, 1_GiB),
                              "operands of each child that may wait for those of others, shared by "
                              "the groups",
                              "Little's law: 900 GB/s x 2.4 us there and back over three tiers = "
                              "2.1 MB; twice that"};
  parameter<duration> forwarding{
      *this, "forwarding", 100_ns,
      "through the crossbar, once for each packet that comes: first byte in to first byte at the "
      "reduction unit, or out of an idle port",
      "as the switch forwards: NVSwitch-class port-to-port latency"};
  parameter<duration> cycle{
      *this,
      "cycle",
      1_ns,
      within(1_fs, 1_ms),
      "clock period of the reduction units, and of the parser, which reads an entry of a table of "
      "chunks a cycle",
      "1 GHz"};
  parameter<std::uint64_t> pipeline{
      *this,
      "pipeline",
      20,
      within(0, 1000),
      "cycles from the last operand to the result; operands come in at the rate of their ports",
      "as multicast_engine; the source is silent"};
};

struct aggregator_counters : statistic_set {
  statistic contributions{*this, "contributions", quantity::count,
                          "packets that children and other switches pushed"};
  statistic reductions{*this, "reductions", quantity::count, "packets reduced"};
  statistic reduced_bytes{*this, "reduced_bytes", quantity::bytes, "bytes of results"};
  statistic copies{*this, "copies", quantity::count, "packets sent down or to other children"};
  statistic chunks{*this, "chunks", quantity::count, "chunks exchanged"};
  statistic peak_operands{*this, "peak_operands", quantity::bytes,
                          "most bytes of the stream of one group that waited for operands"};
  summed_time waiting{*this, "waiting",
                      "summed time from the first operand of a packet to its last one"};
  statistic errors{*this, "errors", quantity::count, "streams that ended with an error"};
  statistic refused{*this, "refused", quantity::count, "packets refused"};
};

}  // namespace heddle
