#include "models/workloads/moe/moe_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr std::uint32_t payloads[] = {32, 64, 128, 256, 512};
constexpr std::uint32_t targets_of_table = 8;

void put(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
}

const moe_schedule& named(const char* name) {
  return *find_moe_schedule(name);
}

// Of a forward pass alone: what overlaps two passes says nothing about one.
bool is_baseline(const moe_schedule& schedule) {
  return schedule.traffic != moe_traffic::multicast && !schedule.overlaps_parts;
}

double both_ways(const moe_study_row& row, moe_traffic traffic) {
  return dispatch_vectors(traffic, row.shape.gpus, row.distinct, row.leaving).both() +
         combine_vectors(traffic, row.shape.gpus, row.distinct, row.leaving).both();
}

json as_json(const moe_study_row& row) {
  json traffic, roofline, gains, capacity, capacity_gains;
  for (const moe_schedule& each : moe_schedules()) {
    if (each.overlaps_parts) continue;
    traffic[each.name] = both_ways(row, each.traffic);
    roofline[each.name] = moe_time_law(each, row.shape, row.distinct, {});
    capacity[each.name] = moe_capacity_law(each, row.shape, row.distinct, {});
    if (!is_baseline(each)) continue;
    gains[each.name] = gain_over(row, each, moe_time_law);
    capacity_gains[each.name] = gain_over(row, each, moe_capacity_law);
  }
  constexpr double entry_bytes = 4;
  return {{"model", row.model},
          {"topk", row.shape.topk},
          {"gpus", row.shape.gpus},
          {"experts", row.shape.experts},
          {"tokens", row.shape.tokens},
          {"distinct_gpus", row.distinct},
          {"leaving", row.leaving},
          {"redundancy", redundancy_law(row.distinct, row.leaving)},
          {"ideal_speedup", ideal_speedup_law(row.distinct, row.leaving)},
          {"useless", useless_law(row.shape.gpus, row.distinct)},
          {"communication_share", communication_share(row)},
          {"compute_s", moe_compute_time(row.shape, {})},
          {"al_table_MB", entry_bytes * row.shape.gpus * row.shape.tokens * 1e-6},
          {"vectors", traffic},
          {"roofline_s", roofline},
          {"gain", gains},
          {"capacity_s", capacity},
          {"capacity_gain", capacity_gains}};
}

struct gain_summary {
  double geomean = 1, largest = 0;
};

gain_summary summary_of(const std::vector<moe_study_row>& rows, const moe_schedule& schedule,
                        moe_time_formula law) {
  gain_summary result;
  double logarithms = 0;
  for (const moe_study_row& row : rows) {
    const double gain = gain_over(row, schedule, law);
    logarithms += std::log(gain);
    result.largest = std::max(result.largest, gain);
  }
  result.geomean = std::exp(logarithms / static_cast<double>(rows.size()));
  return result;
}

json summary(const std::vector<moe_study_row>& rows, moe_time_formula law) {
  json all;
  for (const moe_schedule& each : moe_schedules()) {
    if (!is_baseline(each)) continue;
    const gain_summary of = summary_of(rows, each, law);
    all[each.name] = {{"geomean", of.geomean}, {"largest", of.largest}};
  }
  return all;
}

// "1.74 x  6.87 x  1.58 x": over `dysharp`, of the three baselines that are printed.
template <class Figure>
std::string baselines(const Figure& figure) {
  std::string text;
  for (const char* name : {"deepep", "nvls", "comet"})
    text += fmt::format("{}{:>5.2f} x", text.empty() ? "" : " ", figure(named(name)));
  return text;
}

}  // namespace

double gain_over(const moe_study_row& row, const moe_schedule& schedule, moe_time_formula law) {
  return law(schedule, row.shape, row.distinct, {}) /
         law(named("dysharp"), row.shape, row.distinct, {});
}

double communication_share(const moe_study_row& row) {
  const double all = moe_time_law(named("deepep"), row.shape, row.distinct, {});
  return 1 - moe_compute_time(row.shape, {}) / all;
}

void print_moe_rows(const std::vector<moe_study_row>& rows) {
  put("model           gpus topk      d  redundant  ideal  useless  comm.   DySHARP       over it"
      "              with one capacity");
  put("                                                                              DeepEP    NVLS"
      "   COMET   DeepEP    NVLS   COMET");
  for (const moe_study_row& row : rows)
    put(fmt::format(
        "{:<14} {:>5} {:>4} {:>6.2f} {:>8.1f} % {:>4.2f} x {:>6.2f} x {:>4.1f} % {:>6.3f} "
        "ms {}  {}",
        row.model, row.shape.gpus, row.shape.topk, row.distinct,
        100 * redundancy_law(row.distinct, row.leaving),
        ideal_speedup_law(row.distinct, row.leaving), useless_law(row.shape.gpus, row.distinct),
        100 * communication_share(row),
        1e3 * moe_time_law(named("dysharp"), row.shape, row.distinct, {}),
        baselines([&](const moe_schedule& each) { return gain_over(row, each, moe_time_law); }),
        baselines(
            [&](const moe_schedule& each) { return gain_over(row, each, moe_capacity_law); })));
  const auto summary_line = [&](const char* what, double gain_summary::*figure) {
    const auto of = [&](moe_time_formula law) {
      return baselines(
          [&, law](const moe_schedule& each) { return summary_of(rows, each, law).*figure; });
    };
    put(fmt::format("{:<76}{}  {}", what, of(moe_time_law), of(moe_capacity_law)));
  };
  if (rows.size() > 1) {
    summary_line("geometric mean", &gain_summary::geomean);
    summary_line("largest", &gain_summary::largest);
  }
  put("d: mean remote GPUs of a token, experts drawn evenly; redundant: share of what a copy a GPU "
      "moves;\n"
      "  ideal: from removing it; useless: what all-gather and reduce-scatter move for nothing;\n"
      "  comm.: share of transfers where nothing overlaps; times: bounds by wires and "
      "multipliers,\n"
      "  DySHARP with 0.9 of the wires, as if every token left its GPU; with one capacity: so is\n"
      "  whatever is irregular, and each flit counts in its own direction");
}

void print_efficiency_table() {
  put("");
  put(
      fmt::format("payload of a packet with {} targets, over its bytes on the wire\n"
                  "payload      ideal  explicit  dynamic  dynamic, lists on copies",
                  targets_of_table));
  for (const std::uint32_t each : payloads) {
    const payload_efficiency law = payload_efficiency_law(each, targets_of_table);
    put(fmt::format("{:>5} B {:>8.1f} % {:>7.1f} % {:>6.1f} % {:>23.1f} %", each, 100 * law.ideal,
                    100 * law.explicit_targets, 100 * law.dynamic, 100 * law.dynamic_copies));
  }
}

json moe_study_json(const std::vector<moe_study_row>& rows) {
  constexpr double link_us = 0.25;  // DySHARP V-A
  constexpr int links = 4;          // GPU, switch, GPU, and back
  json all = {{"rows", json::array()},
              {"gain", summary(rows, moe_time_law)},
              {"capacity_gain", summary(rows, moe_capacity_law)},
              {"round_trip_us", links * link_us},
              {"efficiency", json::array()}};
  for (const moe_study_row& row : rows) all["rows"].push_back(as_json(row));
  for (const std::uint32_t each : payloads) {
    const payload_efficiency law = payload_efficiency_law(each, targets_of_table);
    all["efficiency"].push_back({{"payload", each},
                                 {"ideal", law.ideal},
                                 {"explicit", law.explicit_targets},
                                 {"dynamic", law.dynamic},
                                 {"dynamic_copies", law.dynamic_copies}});
  }
  return all;
}

}  // namespace heddle
