// Data sheet of a RIG block: parameters and statistics.
#pragma once

#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

struct rig_parameters : parameter_set {
  parameter<std::uint64_t> number{
      *this, "number", 0, within(0, 65535), "number of this node", "set by the netlist"};
  parameter<address> base{*this, "base", address{0}, "first address of the window of this node",
                          "set by the netlist"};
  parameter<byte_size> size{*this, "size", 64_GiB, "bytes of that window", "set by the netlist"};
  parameter<std::uint64_t> units{*this,
                                 "units",
                                 32,
                                 within(2, 32),
                                 "RIG units, half of them clients at reset",
                                 "NetSparse Table 5"};
  parameter<duration> cycle{*this,
                            "cycle",
                            duration{454'545},
                            within(1_fs, 1_ms),
                            "clock period",
                            "NetSparse Table 5: 2.2 GHz"};
  parameter<byte_size> idx_buffer{*this,
                                  "idx_buffer",
                                  4_KiB,
                                  within(64_B, 1_MiB),
                                  "of each unit, for indices",
                                  "NetSparse Table 5"};
  parameter<std::uint64_t> pending{*this,
                                   "pending",
                                   256,
                                   within(1, 65536),
                                   "entries of the table of pending requests of a unit",
                                   "NetSparse Table 5"};
  parameter<std::uint64_t> lsq{*this,
                               "lsq",
                               64,
                               within(1, 4096),
                               "loads of the filter under way, of a unit",
                               "NetSparse Table 5"};
  parameter<byte_size> property_buffer{*this,
                                       "property_buffer",
                                       4_KiB,
                                       within(64_B, 1_MiB),
                                       "of each unit, for properties between network and host",
                                       "NetSparse Table 5"};
  parameter<std::uint64_t> tx_queue{*this,
                                    "tx_queue",
                                    64,
                                    within(1, 4096),
                                    "property requests of a unit that wait to be accepted",
                                    "silent"};
  parameter<std::uint64_t> rx_queue{*this,
                                    "rx_queue",
                                    64,
                                    within(1, 4096),
                                    "property requests or responses that wait for a unit",
                                    "silent"};
  parameter<byte_size> tx_buffer{*this,
                                 "tx_buffer",
                                 2_MiB,
                                 within(4_KiB, 1_GiB),
                                 "packets that wait for the link, half for each message class",
                                 "NetSparse Table 5"};
  parameter<byte_size> mtu{*this,
                           "mtu",
                           1500_B,
                           within(128_B, 64_KiB),
                           "longest packet, headers "
                           "included",
                           "NetSparse Table 5; silent on what it counts"};
  parameter<std::uint64_t> delay{*this,
                                 "delay",
                                 500,
                                 within(0, 1 << 24),
                                 "cycles for which a property request waits for others, at reset",
                                 "NetSparse 6.1.2"};
  parameter<std::uint64_t> pool{*this,
                                "pool",
                                0,
                                within(0, 1 << 20),
                                "physical queues of 128 B that concatenation queues share; 0: "
                                "each has room for a packet",
                                "NetSparse 7.2: 4096 in 512 KB"};
  parameter<byte_size> memory{*this,
                              "memory",
                              16_GiB,
                              within(4_KiB, 1024_GiB),
                              "memory of the NIC, for the index filter",
                              "NetSparse Table 5"};
  parameter<bandwidth> memory_rate{*this, "memory_bandwidth", 64_GBps, "of the memory of the NIC",
                                   "NetSparse Table 5"};
  parameter<duration> memory_latency{*this, "memory_latency", 80_ns, "of the memory of the NIC",
                                     "silent"};
  parameter<byte_size> l1{
      *this, "l1", 32_KiB, within(1_KiB, 1_GiB), "cache of a pair of units", "NetSparse Table 5"};
  parameter<byte_size> l2{
      *this, "l2", 128_KiB, within(1_KiB, 1_GiB), "cache of a pair of units", "NetSparse Table 5"};
  parameter<byte_size> llc{
      *this, "llc", 16_MiB, within(1_KiB, 1_GiB), "cache of all units", "NetSparse Table 5"};
  parameter<std::uint64_t> quantum{*this,
                                   "quantum",
                                   64,
                                   within(1, 4096),
                                   "indices that a unit handles at a time; 1: each in its cycle; "
                                   "more than 64 lengthen gathers, short ones by up to half",
                                   "64 x 0.45 ns: short against a round trip of 2.4 us"};
  parameter<std::uint64_t> lose{
      *this, "lose", 0, "number of the packet that is lost on arrival; 0: none", "fault injection"};
};

struct rig_counters : statistic_set {
  statistic commands{*this, "commands", quantity::count, "gathers completed"};
  statistic failures{*this, "failures", quantity::count, "gathers that failed"};
  statistic local{*this, "local", quantity::count, "indices that this node owns"};
  statistic filtered{*this, "filtered", quantity::count,
                     "indices whose property was there already"};
  statistic coalesced{*this, "coalesced", quantity::count,
                      "indices that their unit had asked for already"};
  statistic issued{*this, "issued", quantity::count, "property requests sent"};
  statistic responses{*this, "responses", quantity::count, "properties written to the host"};
  statistic served{*this, "served", quantity::count, "properties sent to others"};
  statistic orphans{*this, "orphans", quantity::count,
                    "responses that belonged to no request, and were dropped"};
  statistic lost_packets{*this, "lost_packets", quantity::count,
                         "packets that were lost on arrival, as the parameter `lose` says"};
  statistic request_packets{*this, "request_packets", quantity::count,
                            "packets with requests sent"};
  statistic response_packets{*this, "response_packets", quantity::count,
                             "packets with responses sent"};
  statistic sent_bytes{*this, "sent_bytes", quantity::bytes, "wire bytes sent"};
  statistic received_bytes{*this, "received_bytes", quantity::bytes,
                           "wire bytes received, requests included"};
  statistic property_bytes{*this, "property_bytes", quantity::bytes, "of properties received"};
  statistic received_packets{*this, "received_packets", quantity::count, "packets received"};
  statistic received_requests{*this, "received_requests", quantity::count,
                              "property requests and responses received"};
  statistic stall_lsq{*this, "stall_lsq", quantity::time,
                      "summed time in which an index waited for a load and store queue"};
  statistic stall_pending{*this, "stall_pending", quantity::time,
                          "summed time in which an index waited for a table of pending requests"};
  statistic stall_tx{*this, "stall_tx", quantity::time,
                     "summed time in which an index waited for a transmit queue"};
  statistic l1_hits{*this, "l1_hits", quantity::count, "accesses to the filter that hit L1"};
  statistic l2_hits{*this, "l2_hits", quantity::count, "accesses to the filter that hit L2"};
  statistic llc_hits{*this, "llc_hits", quantity::count, "accesses to the filter that hit the LLC"};
  statistic memory_accesses{*this, "memory_accesses", quantity::count,
                            "accesses to the filter that went to the memory of the NIC"};
  statistic invalidations{*this, "invalidations", quantity::count,
                          "copies of filter lines that other caches had to give up"};
};

}  // namespace heddle
