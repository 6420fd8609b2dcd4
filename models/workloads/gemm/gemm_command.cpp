// heddle gemm: GEMMs on meshes of growing size, software against hardware collectives, by the
// source's formulas and, as far as meshes are small enough, beside it from simulations of
// mesh_gemm.yaml.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "models/workloads/gemm/gemm_simulation.hpp"
#include "models/workloads/gemm/gemm_table.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/number/power_of_two.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/quantity.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

struct gemm_options {
  std::vector<std::string> kernels = {"summa", "fused_concat_linear"};
  std::vector<std::int64_t> meshes = {4, 8, 16, 32, 64, 128, 256};  // sides, powers of two
  std::int64_t tile = 16;
  std::int64_t simulated = 16;  // the largest mesh to simulate; 0: none
  std::string csv_file, json_file;
};

gemm_kernel read_kernel(const std::string& name) {
  for (const gemm_kernel each : {gemm_kernel::summa, gemm_kernel::fused_concat_linear})
    if (name == name_of(each)) return each;
  throw user_error("--kernel " + name + ": expected summa or fused_concat_linear" +
                   did_you_mean(name, {"summa", "fused_concat_linear"}));
}

void check(const gemm_options& options) {
  constexpr std::int64_t largest_mesh = 256, largest_simulated = 16, largest_tile = 4096;
  for (const std::int64_t each : options.meshes)
    if (each < 2 || each > largest_mesh || !is_power_of_two(static_cast<std::uint64_t>(each)))
      throw user_error(
          fmt::format("--meshes {}: expected powers of two from 2 to {}", each, largest_mesh));
  if (options.tile < 1 || options.tile > largest_tile)
    throw user_error(fmt::format("--tile {}: expected 1 to {}", options.tile, largest_tile));
  if (options.simulated < 0 || options.simulated > largest_simulated)
    throw user_error(
        fmt::format("--simulate {}: expected 0 to {}", options.simulated, largest_simulated));
}

void simulate(gemm_row& row, std::uint64_t tile) {
  const memory_fit fit = fit_of_gemm(row.kernel, row.side, tile);
  if (fit.is_enough())
    row.simulated = simulate_gemm(row.kernel, row.side, tile);
  else
    row.obstacle = fmt::format("tiles of {0} x {0} need {1} of an L1 of {2}: not simulated", tile,
                               format_bytes(fit.needed), format_bytes(fit.available));
}

// Printed as they come.
std::vector<gemm_row> rows_of(gemm_kernel kernel, const gemm_options& options) {
  const auto tile = static_cast<std::uint64_t>(options.tile);
  std::vector<gemm_row> rows;
  for (const std::int64_t each : options.meshes) {
    const auto side = static_cast<std::uint64_t>(each);
    gemm_row row{kernel,
                 side,
                 estimate_gemm(kernel, gemm_version::software, side, tile),
                 estimate_gemm(kernel, gemm_version::hardware, side, tile),
                 {},
                 {}};
    if (each <= options.simulated) simulate(row, tile);
    print_gemm_row(row);
    rows.push_back(row);
  }
  return rows;
}

json as_json(const gemm_estimate& of) {
  const gemm_counts& n = of.counts;
  return {{"compute_cycles", of.compute},
          {"communication_cycles", of.communication},
          {"cycles", of.time},
          {"utilization", of.utilization},
          {"energy_J", n.joules({})},
          {"counts",
           {{"dma_load", n.dma_load},
            {"dma_store", n.dma_store},
            {"hop", n.hop},
            {"spm_write", n.spm_write},
            {"gemm", n.gemm},
            {"sw_reduce", n.sw_reduce},
            {"dca_reduce", n.dca_reduce}}}};
}

json as_json(const simulated_version& of) {
  return {{"cycles", of.cycles}, {"utilization", of.utilization}, {"energy_J", of.joules}};
}

json as_json(const gemm_row& row) {
  json one = {{"kernel", name_of(row.kernel)},
              {"mesh", row.side},
              {"analytic",
               {{"software", as_json(row.software)},
                {"hardware", as_json(row.hardware)},
                {"speed_up", speed_up(row)},
                {"energy_saving", saving(row)}}}};
  if (row.simulated)
    one["simulated"] = {{"software", as_json(row.simulated->software)},
                        {"hardware", as_json(row.simulated->hardware)},
                        {"speed_up", speed_up(*row.simulated)},
                        {"energy_saving", saving(*row.simulated)}};
  if (!row.obstacle.empty()) one["not_simulated"] = row.obstacle;
  return one;
}

std::string csv_line(const gemm_row& row, const char* how, double software, double hardware,
                     double factor, double saved) {
  return fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", name_of(row.kernel), row.side,
                     how, row.software.compute, software, hardware, factor, saved);
}

std::string as_csv(const std::vector<gemm_row>& rows) {
  std::string text =
      "kernel,mesh,how,compute_cycles,software_cycles,hardware_cycles,speed_up,energy_saving\n";
  for (const gemm_row& row : rows) {
    text +=
        csv_line(row, "analytic", row.software.time, row.hardware.time, speed_up(row), saving(row));
    if (row.simulated)
      text +=
          csv_line(row, "simulated", row.simulated->software.cycles, row.simulated->hardware.cycles,
                   speed_up(*row.simulated), saving(*row.simulated));
  }
  return text;
}

int gemm_command(const gemm_options& options) {
  check(options);
  std::vector<gemm_kernel> kernels;
  for (const std::string& each : options.kernels) kernels.push_back(read_kernel(each));
  // What cannot be written is said before anything is simulated.
  check_named_outputs({}, {{"--csv", options.csv_file}, {"--json", options.json_file}});
  wanted_file csv_file(options.csv_file), json_file(options.json_file);
  std::vector<gemm_row> rows;
  for (const gemm_kernel kernel : kernels) {
    print_gemm_head(kernel, options.tile);
    const std::vector<gemm_row> some = rows_of(kernel, options);
    print_gemm_notes(some, options.simulated);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  csv_file.write(as_csv(rows));
  json all = {{"tile", options.tile}, {"rows", json::array()}};
  for (const gemm_row& each : rows) all["rows"].push_back(as_json(each));
  json_file.write(all.dump(1) + "\n");
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<gemm_options>();
  command.add_option("--kernel", options->kernels, "summa, fused_concat_linear or both")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--meshes", options->meshes, "sides, for example 4,8,16")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--tile", options->tile, "rows and columns of a tile");
  command.add_option("--simulate", options->simulated, "the largest mesh to simulate, 0: none");
  command.add_option("--csv", options->csv_file, "also write the rows to this file");
  command.add_option("--json", options->json_file, "the same as JSON, with counts of operations");
  return [options] { return gemm_command(*options); };
}

HEDDLE_REGISTER_COMMAND(gemm,
                        {"gemm",
                         "GEMMs on meshes up to 256 x 256 by formulas, and simulated up to 16 x 16",
                         &declare, true});

}  // namespace
}  // namespace heddle
