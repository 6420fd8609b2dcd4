#include "platform/cli/gemm_simulation.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/run/child_process.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

// SUMMA's steps are those between a short run and a long one, so that filling the pipeline does not
// count. FusedConcatLinear cuts its tile: an eighth of it comes before anything can be multiplied.
constexpr std::uint64_t short_run = 8, long_run = 16;
constexpr double cycles_per_second = 1e9;  // the clock of the netlist

json run(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile, std::uint64_t steps) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("heddle-gemm-{}", getpid());
  const auto set = [](const char* key, const auto& value) {
    return fmt::format("{}={}", key, value);
  };
  const child_result child =
      run_self({"run", "mesh_gemm.yaml", "--quiet", "--out", folder.string(),  //
                "--set", set("params.width", side), "--set", set("params.height", side), "--set",
                set("workload.collective", name_of(kernel)), "--set", set("workload.tile", tile),
                "--set", set("workload.iterations", steps), "--set",
                "workload.algorithm=[mesh_tree, mesh_hw]", "--set", "workload.explain=off"});
  if (child.exit_code != 0)
    throw user_error(fmt::format("the run of a {0} x {0} mesh failed: {1}", side, child.errors));
  json stats;
  std::ifstream(folder / "stats.json") >> stats;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
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

simulated_gemm simulate_gemm(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile) {
  const std::uint64_t slices = tile % short_run == 0 ? short_run : 1;
  if (kernel == gemm_kernel::fused_concat_linear) {
    const json all = run(kernel, side, tile, slices);
    return {whole(all[0]), whole(all[1])};
  }
  const json few = run(kernel, side, tile, short_run), many = run(kernel, side, tile, long_run);
  return {step_between(few[0], many[0]), step_between(few[1], many[1])};
}

}  // namespace heddle
