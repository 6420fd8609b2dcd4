// The data sheet of a token hub.
#pragma once

#include "models/gpu/hub/layout_manager.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "models/gpu/sm/sm_pool.hpp"
#include "platform/unit/statistic.hpp"
#include "transactors/packet/packet_format_parameters.hpp"
#include "transactors/tokens/token_packets.hpp"

namespace heddle {

struct token_hub_parameters : packet_format_parameters {
  parameter<std::uint64_t> ports{
      *this, "ports", 9, within(1, 64), "packet ports, one a plane", "DySHARP V-A: nine switches"};
  parameter<address> base{*this, "base", address{0}, "first address of this GPU's memory",
                          "set by the netlist"};
  parameter<byte_size> size{*this, "size", 64_GiB, "bytes of its memory; the same for all GPUs",
                            "a power of two below the 141 GB of an H200"};
  parameter<address> first_base{*this, "first_base", address{0}, "memory of the first GPU",
                                "set by the netlist"};
  parameter<byte_size> interleave{*this,
                                  "interleave",
                                  4_KiB,
                                  within(64_B, 1_GiB),
                                  "bytes in a row of the multimem range that use the same plane",
                                  "as packetizers do"};
  choice_parameter addressing{*this, "addressing", one_of("dynamic", "explicit"),
                              "how targets are named on the wire, as the switches have it",
                              "DySHARP III-A"};
  parameter<std::uint64_t> multimem_queue{
      *this,
      "multimem_queue",
      32,
      within(1, 1 << 16),
      "packets of each SM that wait for their list of targets (MultimemQ)",
      "DySHARP V-A"};
  parameter<duration> list_latency{*this, "list_latency", 17_ns, "fetching a list of targets",
                                   "30 cycles of shared memory at 1.755 GHz; DySHARP is silent"};
  parameter<std::uint64_t> outstanding{
      *this,
      "outstanding",
      1024,
      within(1, 1 << 20),
      "stored packets of each port without acknowledgment at a time",
      "twice what 50 GB/s x 1.1 us round trip / 128 B asks for, so that queues in switches fill"};
  parameter<std::uint64_t> fetches{*this,
                                   "fetches",
                                   512,
                                   within(1, 1 << 20),
                                   "fetched packets of each port without their sum at a time",
                                   "what a switch's reduction buffer of 64 KB holds of 128 B"};
  parameter<std::uint64_t> queue{*this,
                                 "queue",
                                 256,
                                 within(1, 1 << 20),
                                 "packets that wait for one port before more are held back",
                                 "eight 4 KiB blocks, so that a port never idles between them"};
  parameter<std::uint64_t> al_tlb{
      *this,        "al_tlb", 512, within(1, 1 << 20), "entries of the layout manager's TLB",
      "DySHARP V-A"};
  parameter<std::uint64_t> al_misses{*this,
                                     "al_misses",
                                     64,
                                     within(1, 1 << 16),
                                     "misses of that TLB under way at a time",
                                     "DySHARP is silent; with 16 the table bounds a layer of S by "
                                     "5 %, with 64 the wires do"};
  parameter<std::uint64_t> ts_table{
      *this,        "ts_table", 1024, within(1, 1 << 20), "rows that the token tracker has on chip",
      "DySHARP V-A"};
  parameter<std::uint64_t> or_table{
      *this, "or_table", 1024, within(1, 1 << 20), "own tokens that it has on chip", "DySHARP V-A"};
  parameter<duration> memory_latency{*this, "memory_latency", 100_ns,
                                     "of an entry of these tables that is in DRAM",
                                     "as the GPU's memory: JEDEC HBM3 core timing"};
  parameter<duration> poll{*this,
                           "poll",
                           150_ns,
                           within(1_ns, 1_ms),
                           "period in which kernels look for what has become ready",
                           "an access of L2 at 1.755 GHz (nvls_h100.yaml)"};
  parameter<std::uint64_t> sms{
      *this, "sms", 132, within(1, 1024), "streaming multiprocessors", "H200 data sheet"};
  parameter<std::uint64_t> tflops{*this,
                                  "tflops",
                                  1979,
                                  within(1, 1'000'000),
                                  "10^12 operations per second of all SMs together",
                                  "H200 data sheet, FP8 dense"};
  parameter<std::uint64_t> efficiency{*this,
                                      "efficiency",
                                      100,
                                      within(1, 100),
                                      "percent of that which a thread block reaches",
                                      "peak rate; DySHARP is silent"};
  parameter<bandwidth> hbm{*this, "hbm", 4800_GBps, "of the weights of experts", "H200 data sheet"};
  parameter<byte_size> l2{*this,
                          "l2",
                          50_MiB,
                          within(1_MiB, 1_GiB),
                          "that weights stay in until they are needed again",
                          "H200 data sheet"};

  sm_rates rates() const {
    constexpr double tera = 1e12, percent = 0.01;
    sm_rates result;
    result.flops_of_sm = static_cast<double>(tflops()) * tera *
                         (static_cast<double>(efficiency()) * percent) / static_cast<double>(sms());
    result.hbm = hbm();
    result.hbm_latency = memory_latency().fs;
    result.l2_bytes = l2().bytes;
    return result;
  }
  layout_timing layout() const {
    return {static_cast<std::uint32_t>(al_tlb()), static_cast<std::uint32_t>(al_misses()),
            memory_latency().fs};
  }
  tracker_timing tracker() const {
    return {static_cast<std::uint32_t>(ts_table()), static_cast<std::uint32_t>(or_table()),
            memory_latency().fs};
  }
  token_format tokens() const {
    return {format(), addressing() == "dynamic" ? target_addressing::dynamic
                                                : target_addressing::explicit_targets};
  }
};

struct token_hub_counters : statistic_set {
  statistic layers{*this, "layers", quantity::count, "layers completed"};
  statistic stored{*this, "stored", quantity::count, "packets of vectors stored from here"};
  statistic fetched{*this, "fetched", quantity::count, "packets of sums fetched to here"};
  statistic served_stores{*this, "served_stores", quantity::count,
                          "packets of others' vectors stored here"};
  statistic served_fetches{*this, "served_fetches", quantity::count,
                           "packets of sums answered from here"};
  statistic dispatch_out{*this, "dispatch_out", quantity::bytes, "of vectors sent to experts"};
  statistic dispatch_in{*this, "dispatch_in", quantity::bytes, "of vectors received for experts"};
  statistic combine_out{*this, "combine_out", quantity::bytes, "of vectors sent back"};
  statistic combine_in{*this, "combine_in", quantity::bytes, "of vectors received back"};
  statistic parted{*this, "parted", quantity::count,
                   "own tokens whose sum came in parts, because a reduction buffer was full"};
  statistic notices{*this, "notices", quantity::count, "packets that tell others what is ready"};
  statistic tlb_packets{*this, "tlb_packets", quantity::count, "packets translated"};
  statistic tlb_packet_hits{*this, "tlb_packet_hits", quantity::count, "of them, found in the TLB"};
  statistic tlb_vectors{*this, "tlb_vectors", quantity::count,
                        "pieces of vectors translated: trains, or packets"};
  statistic tlb_vector_hits{*this, "tlb_vector_hits", quantity::count, "of them, found in the TLB"};
  statistic row_spills{*this, "row_spills", quantity::count,
                       "entries of rows fetched back from DRAM"};
  statistic token_spills{*this, "token_spills", quantity::count,
                         "entries of own tokens fetched back from DRAM"};
  statistic computing{*this, "computing", quantity::time, "time of SMs in blocks, summed"};
  statistic operand_misses{*this, "operand_misses", quantity::count,
                           "matrices of weights read from HBM"};
  statistic errors{*this, "errors", quantity::count, "layers that failed"};
};

}  // namespace heddle
