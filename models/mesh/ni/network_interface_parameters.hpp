// What a netlist says about a network interface, and what the interface counts.
#pragma once

#include "models/mesh/ni/mesh_map.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

struct network_interface_parameters : mesh_map_parameters {
  parameter<std::uint64_t> x{*this, "x", 0, within(0, 255), "column", "a netlist says"};
  parameter<std::uint64_t> y{*this, "y", 0, within(0, 255), "row", "a netlist says"};
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "collective NoC 4: 1 GHz"};
  parameter<std::uint64_t> latency{*this,
                                   "latency",
                                   1,
                                   within(1, 32),
                                   "cycles between a socket and a link, each way",
                                   "one register, as between routers"};
  parameter<std::uint64_t> words{*this,
                                 "words",
                                 8,
                                 within(1, 256),
                                 "accesses of words without response at a time",
                                 "Snitch: a load-store queue of 8"};
  parameter<std::uint64_t> bursts{*this,
                                  "bursts",
                                  4,
                                  within(1, 256),
                                  "bursts without response at a time",
                                  "two reads and two writes: one streams while the next begins"};
  parameter<byte_size> longest{
      *this, "longest", 4_KiB, within(64_B, 64_KiB), "bytes of a burst at most", "AXI: 4 KiB"};
  parameter<bool> loopback{*this, "loopback", true,
                           "the router brings this tile's copy of its own multicasts back; else it "
                           "is made here",
                           "as the router's"};
  parameter<address> alias{*this, "alias", address{0x100000000},
                           "added to an address: a collective of words", "above all tiles"};
  parameter<double> load_energy{*this,
                                "load_energy",
                                2.2,
                                within(0.0, 1e9),
                                "pJ of a byte from a memory tile",
                                "collective NoC Table 1: DMA load"};
  parameter<double> store_energy{*this,
                                 "store_energy",
                                 2.4,
                                 within(0.0, 1e9),
                                 "pJ of a byte from a tile's L1",
                                 "collective NoC Table 1: DMA store"};
  parameter<double> write_energy{*this,
                                 "write_energy",
                                 1.8,
                                 within(0.0, 1e9),
                                 "pJ of a byte into a tile's L1",
                                 "collective NoC Table 1: SPM write"};
};

struct network_interface_counters : statistic_set {
  statistic words{*this, "words", quantity::count, "accesses of words begun"};
  statistic bursts{*this, "bursts", quantity::count, "bursts begun"};
  statistic collectives{*this, "collectives", quantity::count, "of both, part of a collective"};
  statistic served{*this, "served", quantity::count, "accesses of other tiles performed here"};
  statistic errors{*this, "errors", quantity::count, "accesses that ended with an error"};
  statistic beat_waits{*this, "beat_waits", quantity::count,
                       "cycles in which a burst had begun and its next beat was late"};
  statistic loaded{*this, "loaded", quantity::bytes, "bursts' bytes that came from memory tiles"};
  statistic stored{
      *this, "stored", quantity::bytes,
      "bursts' bytes that a compute tile gave the network: written to others, those of "
      "a multicast once, or read by them"};
  statistic written{*this, "written", quantity::bytes,
                    "bursts' bytes of other compute tiles that came into the L1"};
};

}  // namespace heddle
