#include "models/workloads/gemm/gemm_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace heddle {
namespace {

void put(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

std::string mesh_cell(std::uint64_t side) {
  return fmt::format("{:>3} x {:>3}", side, side);
}

std::string version_cell(double cycles, double utilization) {
  return fmt::format("{:>8.0f} {:>8.1f} %", cycles, 100 * utilization);
}

std::string factors(double speed_up, double saved) {
  return fmt::format("{:>6.2f} x | {:>10.2f} x", speed_up, saved);
}

// Why simulations differ from the formulas: the claims of the same name are checked against both.
const char* reason_of(gemm_kernel kernel) {
  return kernel == gemm_kernel::summa
             ? "simulated and formula differ because the source composes fits of rows of 4 tiles: "
               "its 36 cycles\n"
               "  between two copies do not grow with the line, while a barrier of 8 or 16 tiles "
               "goes to the far end and\n"
               "  back; and its step has no barrier before a buffer is filled again "
               "(heddle reproduce 'noc.summa.*')"
             : "simulated and formula differ because the source's reduction takes as long on 16 x "
               "16 as on 4 x 4: here\n"
               "  the last beat passes all routers that add, and the answer comes back; and its "
               "software sums without\n"
               "  distance, contention or a driver's writes and polls "
               "(heddle reproduce 'noc.fcl.*')";
}

}  // namespace

double speed_up(const gemm_row& row) {
  return row.software.time / row.hardware.time;
}
double saving(const gemm_row& row) {
  return row.software.counts.joules({}) / row.hardware.counts.joules({});
}
double speed_up(const simulated_gemm& of) {
  return of.software.cycles / of.hardware.cycles;
}
double saving(const simulated_gemm& of) {
  return of.software.joules / of.hardware.joules;
}

void print_gemm_head(gemm_kernel kernel, std::int64_t tile) {
  put(fmt::format("{}, {} x {} tiles of FP64: cycles{}; collectives by software and by hardware",
                  name_of(kernel), tile, tile,
                  kernel == gemm_kernel::summa ? " of a step along K" : ""));
  put(fmt::format("{:>9}  {:>9}  {:>8} | {:>19} | {:>19} | {:>8} | {:>12}", "", "", "", "software",
                  "hardware", "", ""));
  put(fmt::format("{:>9}  {:>9}  {:>8} | {:>8} {:>10} | {:>8} {:>10} | {:>8} | {:>12}", "mesh", "",
                  "compute", "cycles", "of peak", "cycles", "of peak", "speed-up", "energy saved"));
}

void print_gemm_row(const gemm_row& row) {
  put(fmt::format("{}  {:>9}  {:>8.0f} | {} | {} | {}", mesh_cell(row.side), "formula",
                  row.software.compute, version_cell(row.software.time, row.software.utilization),
                  version_cell(row.hardware.time, row.hardware.utilization),
                  factors(speed_up(row), saving(row))));
  const std::string before = fmt::format("{:>9}  {:>9}  {:>8}", "", "simulated", "");
  if (row.simulated) {
    const simulated_version &software = row.simulated->software,
                            &hardware = row.simulated->hardware;
    put(fmt::format("{} | {} | {} | {}", before,
                    version_cell(software.cycles, software.utilization),
                    version_cell(hardware.cycles, hardware.utilization),
                    factors(speed_up(*row.simulated), saving(*row.simulated))));
  } else if (!row.obstacle.empty()) {
    put(fmt::format("{} | {:>8} {:>10} | {:>8} {:>10} | {:>8} | {:>12}", before, "-", "-", "-", "-",
                    "-", "-"));
  }
}

void print_gemm_notes(const std::vector<gemm_row>& rows, std::int64_t largest_simulated) {
  const gemm_kernel kernel = rows.front().kernel;
  put(kernel == gemm_kernel::summa
          ? "  formula: those of the literature; nothing is simulated"
          : "  formula: those of the literature, the constant part of a sum is 0; nothing is "
            "simulated");
  const auto is_larger = [&](const gemm_row& row) {
    return static_cast<std::int64_t>(row.side) > largest_simulated;
  };
  if (std::any_of(rows.begin(), rows.end(), is_larger))
    put(fmt::format("  meshes beyond --simulate {} have formulas alone", largest_simulated));
  const auto stopped = std::find_if(rows.begin(), rows.end(),
                                    [](const gemm_row& row) { return !row.obstacle.empty(); });
  if (stopped != rows.end()) put("  " + stopped->obstacle);
  if (std::none_of(rows.begin(), rows.end(),
                   [](const gemm_row& row) { return row.simulated.has_value(); }))
    return;
  if (kernel == gemm_kernel::summa)
    put("  a step: what 16 steps take longer than 8, over 8; `heddle run mesh_gemm.yaml` shows 8 "
        "steps with the\n"
        "  filling of the pipeline, so that its factors are others");
  put(fmt::format("  {}", reason_of(kernel)));
}

}  // namespace heddle
