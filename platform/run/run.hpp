// One run: plan, build, simulate, judge, write the results.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/debug/gdb_server.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/run/instruction_log.hpp"
#include "platform/run/packet_traffic_summary.hpp"
#include "platform/run/traffic_summary.hpp"
#include "platform/run/utilization.hpp"
#include "platform/time/time_limits.hpp"
#include "platform/trace/triggered_sink.hpp"
#include "platform/workload/workload_result.hpp"

namespace heddle {

struct run_options {
  std::string netlist;
  std::vector<netlist_override> overrides;
  std::string directory;                            // "": out/<name>
  std::string wave;                                 // VCD file; "": what the netlist says
  std::optional<std::vector<std::string>> signals;  // instead of the netlist's
  std::vector<std::pair<fs_t, fs_t>> windows;
  std::vector<trace_trigger> triggers;
  std::vector<std::string> traced_registers;  // globs, besides the netlist's
  std::string report;                         // HTML file; "": none
  std::string perfetto;                       // JSON file of trace events; "": none
  std::string coverage;                       // JSON file; "": nobody counts
  std::string mmio_log;                       // CSV or JSON file; "": none
  instruction_log_options instructions;
  std::optional<std::string> profile;  // glob over the cores to profile
  std::optional<gdb_options> gdb;
  bool tests_registers = false;  // instead of the netlist's firmware
  std::string core;              // that tests them; "": the first
  fs_t until = end_of_time;      // simulated time at which the run ends
  int threads = 1;               // that share the cycles of large networks of flits
  bool is_quiet = false;
};

// How busy everything was during the last job of an algorithm.
struct algorithm_load {
  std::size_t result = 0;  // its number in run_report::results
  std::vector<busy_share> shares;
  std::string remedy;  // of the unit in which most of the largest part of its path was spent
};

struct run_report {
  int exit_code = 0;
  bool is_cut_short = false;  // somebody has ended it before its end
  double simulated_s = 0;
  std::vector<workload_result> results;  // of all workloads, in the order of the netlist
  std::size_t last = 0;                  // which of them ended last
  std::vector<traffic_summary> traffic;  // of each network with synthetic traffic in flits
  std::vector<packet_traffic_summary> packet_traffic;  // of each with such traffic in packets
  std::vector<std::string> failures;
  std::vector<std::string> waiting;   // of a hang: "gpu[0].cp waits for ..."
  std::vector<std::string> remarks;   // what else is worth knowing of the system, a line each
  std::vector<std::string> refusals;  // register accesses; the terminal has seen them
  std::string violations;             // how many, where they are only logged
  std::vector<busy_share> busiest;    // during the last collective, or the whole run
  std::vector<algorithm_load> loads;  // of each algorithm, in the order in which they ran first
  std::string bottleneck;             // a line for each of them
  std::string note;                   // what a reader of the times has to know; may be empty
  std::string directory;
  std::string wave;          // "": none
  std::string instructions;  // file; "" where nobody asked
  std::string coverage;      // one line; "" where nobody counted
  std::string profile;       // tables; "" where nobody asked
  std::string registers;     // the same of their test
};

// Exit codes 0 and 1; throws user_error (exit code 2).
run_report run_netlist(const run_options& options);

}  // namespace heddle
