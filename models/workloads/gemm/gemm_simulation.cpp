#include "models/workloads/gemm/gemm_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/workloads/gemm/gemm_job.hpp"
#include "platform/netlist/core_view.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/run/child_process.hpp"
#include "platform/run/temporary_folder.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

using json = nlohmann::json;

// SUMMA's steps are those between a short run and a long one, so that filling the pipeline does not
// count.
constexpr std::uint64_t short_run = 8, long_run = 16;
constexpr const char* netlist = "mesh_gemm.yaml";
constexpr double cycles_per_second = 1e9;  // the clock of the netlist

std::vector<std::string> settings_of(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile,
                                     std::uint64_t steps) {
  const auto set = [](const char* key, const auto& value) {
    return fmt::format("{}={}", key, value);
  };
  return {set("params.width", side),
          set("params.height", side),
          set("workload.collective", name_of(kernel)),
          set("workload.tile", tile),
          set("workload.iterations", steps),
          "workload.algorithm=[mesh_tree, mesh_hw]",
          "workload.explain=off"};
}

// FusedConcatLinear cuts its tile: an eighth of it comes before anything can be multiplied.
std::uint64_t steps_of(gemm_kernel kernel, std::uint64_t tile) {
  if (kernel == gemm_kernel::summa) return long_run;
  return tile % short_run == 0 ? short_run : 1;
}

json run(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile, std::uint64_t steps) {
  const temporary_folder folder;
  std::vector<std::string> words = {"run", netlist, "--quiet", "--out", folder.path().string()};
  for (const std::string& each : settings_of(kernel, side, tile, steps))
    words.insert(words.end(), {"--set", each});
  const child_result child = run_self(words);
  if (child.exit_code != 0)
    throw user_error(fmt::format("the run of a {0} x {0} mesh failed: {1}", side, child.errors));
  json stats;
  std::ifstream(folder.path() / "stats.json") >> stats;
  return stats["collectives"];
}

simulated_version whole(const json& run) {
  simulated_version found;
  found.cycles = cycles_per_second * run["time_s"].get<double>();
  found.utilization = run["utilization"];
  found.joules = run["energy"]["total_J"];
  return found;
}

simulated_version step_between(const json& few, const json& many) {
  constexpr double steps = long_run - short_run;
  const simulated_version first = whole(few), last = whole(many);
  simulated_version found;
  found.cycles = (last.cycles - first.cycles) / steps;
  found.joules = (last.joules - first.joules) / steps;
  // Peak cycles of a run are its utilization times its time.
  found.utilization = (last.utilization * last.cycles - first.utilization * first.cycles) /
                      (last.cycles - first.cycles);
  return found;
}

}  // namespace

const char* name_of(gemm_kernel kernel) {
  return kernel == gemm_kernel::summa ? "summa" : "fused_concat_linear";
}

memory_fit fit_of_gemm(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile) {
  std::vector<netlist_override> overrides;
  for (const std::string& each : settings_of(kernel, side, tile, steps_of(kernel, tile)))
    overrides.push_back(parse_override(each));
  const netlist_plan plan = plan_netlist(netlist, overrides);
  yaml_mapping mapping(*plan.workload, "workload");
  const gemm_config config = read_gemm(mapping, read_workload_settings(mapping));
  memory_fit fit;
  fit.available = view_of(plan, "").bytes_parameter("window_size", 0);  // all tiles are alike
  for (const boot_algorithm each : config.algorithms) {
    const boot_job job =
        make_gemm_job(config, each, config.tiles.front(), side * side, fit.available, 0);
    fit.needed = std::max(fit.needed, memory_of_gemm(job, side * side));
  }
  return fit;
}

simulated_gemm simulate_gemm(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile) {
  if (kernel == gemm_kernel::fused_concat_linear) {
    const json all = run(kernel, side, tile, steps_of(kernel, tile));
    return {whole(all[0]), whole(all[1])};
  }
  const json few = run(kernel, side, tile, short_run), many = run(kernel, side, tile, long_run);
  return {step_between(few[0], many[0]), step_between(few[1], many[1])};
}

}  // namespace heddle
