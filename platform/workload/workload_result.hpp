// What one job did. The platform measures times, wires and energy; the kind of the workload names
// the job and adds its own figures.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/explain/breakdown.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/unit/energy_book.hpp"
#include "platform/workload/verdict.hpp"

namespace heddle {

// A column of the table of results, between the time and the verdict.
struct result_cell {
  std::string heading;
  int width = 10;
  std::string text;
};

struct workload_result {
  // Measured by the platform.
  std::uint32_t number = 0;  // of the job, among those of all workloads of the netlist
  std::string workload;      // its `name:`; "" where the netlist gives it none
  std::string array;         // of stats.json, in which its row stands
  std::uint32_t ranks = 0;
  fs_t start = 0;                // first rank's start mark
  fs_t end = 0;                  // last rank's end mark
  std::vector<fs_t> rank_times;  // from a rank's own start mark to its end mark
  fs_t hardware_time = 0;        // of it, in-network hardware worked; 0 where there is none
  // From the start until what ranks have handed over to a network has arrived, which may be after
  // the end.
  std::uint64_t wire_bytes = 0;  // on all wires, headers included, whoever sent them
  energy_shares energy;          // where units say what their operations cost; everybody's, too
  // Whose packets and operations are in these two: workloads with jobs in the same time, and
  // synthetic traffic. Empty: all is the job's own.
  std::vector<std::string> shared_with;
  std::optional<breakdown> path;  // where the time went, if the workload is explained
  verdict outcome = verdict::not_checked;

  // Said by the kind of the workload.
  std::string name;         // "allreduce"
  std::string algorithm;    // "ring"
  bool is_chosen = false;   // `algorithm: auto` has chosen it
  std::string asked;        // what the netlist asked for, whoever has done it; "": the algorithm
  std::uint64_t bytes = 0;  // of one rank's tensor; jobs with the same bytes are compared
  std::uint64_t work = 0;   // share of the run, for progress: the bytes that count for it
  std::string size;         // what sets it apart from others of its name: "32 KiB"; may be ""
  std::string size_phrase;  // the same behind its name: "32 KiB", "tiles of 16 x 16"
  std::string size_heading = "size";
  std::string subject;  // of the table's heading, behind the algorithms: "allreduce, 8 ranks"
  std::vector<result_cell> cells;
  double of_bound = 0;  // share that it reached of what the wires allow; 0: unknown
  double law = 0;       // s, by the literature's formula; 0 where there is none
  // Adds the kind's own fields to the job's row of stats.json.
  std::function<void(nlohmann::ordered_json& row)> describe;

  fs_t time() const { return end - start; }
  // For people: tells the same algorithm apart, asked for and chosen.
  std::string label() const { return is_chosen ? algorithm + " (auto)" : algorithm; }
  // Jobs with the same one are sizes of one column in the table of factors.
  std::string column() const { return asked.empty() ? label() : asked; }
  // "allreduce[0] ring 4 KiB": in waveforms.
  std::string title() const;
};

}  // namespace heddle
