// The data sheet of an in-switch accelerator.
#pragma once

#include "models/inc/isa/instruction.hpp"
#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"
#include "platform/unit/statistic.hpp"
#include "transactors/packet/packet_format_parameters.hpp"

namespace heddle {

struct isa_parameters : packet_format_parameters {
  parameter<address> base{*this, "base", address{0x4000'0000},
                          "first address of its registers on the fabric", "set by the netlist"};
  parameter<std::uint64_t> streams{*this,
                                   "streams",
                                   8,
                                   within(1, 8),
                                   "synchronization resources, each with an instruction queue",
                                   "SCIN 3.4: several, for parallel computation streams"};
  // More have no effect while one stream is used: its instructions wait for the same entries.
  parameter<std::uint64_t> controllers{*this,         "controllers",      1,
                                       within(1, 16), "wave controllers", "SCIN Fig 4: one"};
  parameter<std::uint64_t> issue{*this,
                                 "issue",
                                 0,
                                 within(0, 1000),
                                 "cycles that a controller takes for a wave before its next one",
                                 "0: SCIN 3.4 states none; the requests of a wave of 4 KiB take "
                                 "5 of a port"};
  parameter<std::uint64_t> accumulators{*this,
                                        "accumulators",
                                        1,
                                        within(1, most_members),
                                        "accumulators, each for a group of neighboring ports: that "
                                        "of its first source reduces a wave",
                                        "SCIN Fig 4: one"};
  parameter<std::uint64_t> queue{*this,
                                 "queue",
                                 128,
                                 within(1, 4096),
                                 "instructions that the queue of a stream holds",
                                 "a reduce-scatter over 64 members, twice"};
  parameter<byte_size> table{*this,
                             "table",
                             64_KiB,
                             within(8_B, 8_MiB),
                             "data bytes of the wave table of each member",
                             "SCIN 4.3: 64 KiB of data and 2 KiB of scales"};
  parameter<byte_size> wave{*this,
                            "wave",
                            4_KiB,
                            within(8_B, 4_MiB),
                            "data bytes of a wave; the table holds up to 64 of them",
                            "SCIN Fig 10: 16 waves of 4 KiB"};
  // Quantized instructions go by wave in any case.
  choice_parameter readout{
      *this, "readout", one_of("wave", "packet"),
      "what the accumulator waits for: a whole wave, or what one packet brings; the packets of a "
      "`train` count as one",
      "SCIN 3.4: a wave is read out once all of it is READY"};
  parameter<byte_size> scale_table{*this,
                                   "scale_table",
                                   2_KiB,
                                   within(2_B, 1_MiB),
                                   "bytes of each wave table that hold scales, shared evenly by "
                                   "its entries; a wave is shorter where its scales need more",
                                   "SCIN 4.3"};
  parameter<duration> forwarding{*this, "forwarding", 0_ns,
                                 "forwarding latency of the switch, charged once for each packet "
                                 "addressed to the device; packets that the device sends are not "
                                 "charged again",
                                 "SCIN 4.1: 250 ns from accelerator to switch, nothing beside it"};
  parameter<duration> cycle{*this,
                            "cycle",
                            1_ns,
                            within(duration{1000}, 1_us),
                            "clock period of its pipelines",
                            "1 GHz; SCIN states cycles and no clock"};
  parameter<std::uint64_t> bytes_per_cycle{*this,
                                           "bytes_per_cycle",
                                           128,
                                           within(1, 65536),
                                           "of each operand that the accumulator takes",
                                           "a packet's payload: more than a port delivers"};
  parameter<std::uint64_t> latency{
      *this, "latency", 20, within(0, 100'000), "cycles from operands to result", "SCIN 4.1"};
  parameter<std::uint64_t> quantized_latency{
      *this,
      "quantized_latency",
      100,
      within(0, 100'000),
      "cycles from operands to result with dequantization and quantization",
      "SCIN 4.1"};
  parameter<std::uint64_t> write_queue{
      *this,
      "write_queue",
      2,
      within(1, 1024),
      "waves of results that wait for a port before the accumulator stands still",
      "one leaves while the next is computed"};
};

struct isa_counters : statistic_set {
  statistic instructions{*this, "instructions", quantity::count, "instructions completed"};
  summed_time instruction_time{
      *this, "instruction_time",
      "summed time from the start of an instruction, when all have arrived, "
      "to the last write response"};
  statistic waves{*this, "waves", quantity::count, "waves whose results are in memory"};
  statistic operand_bytes{*this, "operand_bytes", quantity::bytes, "operands read"};
  statistic result_bytes{*this, "result_bytes", quantity::bytes, "results written"};
  statistic arrivals{*this, "arrivals", quantity::count, "members that arrived"};
  summed_time sync_wait{*this, "sync_wait",
                        "time from the first member's arrival to the last one's"};
  summed_time slot_wait{*this, "slot_wait",
                        "time in which an instruction waited for free wave-table entries"};
  statistic accumulator_busy{*this, "accumulator_busy", quantity::busy,
                             "time in which the accumulator took operands"};
  statistic write_wait{*this, "write_wait", quantity::time,
                       "time in which a ready wave waited for room in a write queue"};
  statistic peak_waves{*this, "peak_waves", quantity::count,
                       "most entries of one wave table in use"};
  statistic errors{*this, "errors", quantity::count, "instructions and arrivals refused or failed"};
};

}  // namespace heddle
