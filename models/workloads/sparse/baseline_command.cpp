// heddle sparse_baselines: what software and computation alone take on a matrix, without a
// simulation: SUOpt, SAOpt, and the compute engines.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "models/sparse/compute_engine.hpp"
#include "models/sparse/software_baselines.hpp"
#include "models/workloads/gather/gather_config.hpp"
#include "models/workloads/gather/print_text.hpp"
#include "models/workloads/sparse/matrix_choice.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/text/format_seconds.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

struct baseline_options {
  matrix_choice matrix;
  std::string engine, json_file;
  std::uint32_t batch = 32768, cores = 64;
  std::vector<std::uint32_t> elements = {1, 16, 128};
};

const compute_engine* engine_named(const std::string& name) {
  if (name.empty()) return nullptr;
  std::vector<std::string> names;
  for (const compute_engine& each : compute_engines()) {
    if (each.name == name) return &each;
    names.push_back(each.name);
  }
  throw user_error("--engine " + name + ": expected " + fmt::format("{}", fmt::join(names, ", ")) +
                   did_you_mean(name, names));
}

double largest(const std::vector<double>& of) {
  return *std::max_element(of.begin(), of.end());
}

std::vector<double> compute_seconds(const nonzero_source& source, std::uint32_t elements,
                                    const baseline_options& options, const compute_engine& engine) {
  std::vector<double> seconds;
  for (std::uint32_t node = 0; node < source.nodes(); ++node) {
    double sum = 0;
    for (const batch_work& each : batches_of(source, node, options.batch, elements, engine))
      sum += seconds_of(each, sparse_kernel::spmm, elements, engine);
    seconds.push_back(sum);
  }
  return seconds;
}

// End to end, software overlaps its communication with computation perfectly.
void add_compute(json& row, const nonzero_source& source, const std::vector<double>& saopt,
                 const baseline_options& options, const compute_engine& engine) {
  const std::vector<double> compute =
      compute_seconds(source, row["elements"].get<std::uint32_t>(), options, engine);
  const double one_node = std::accumulate(compute.begin(), compute.end(), 0.0);
  double with_saopt = 0;
  for (std::size_t node = 0; node < compute.size(); ++node)
    with_saopt = std::max({with_saopt, compute[node], saopt[node]});
  const double with_suopt = std::max(row["suopt_s"].get<double>(), largest(compute));
  row["compute_s"] = largest(compute);
  row["compute_mean_s"] = one_node / source.nodes();
  row["one_node_s"] = one_node;
  row["speed_up"] = {{"no_communication", one_node / largest(compute)},
                     {"saopt", one_node / with_saopt},
                     {"suopt", one_node / with_suopt}};
}

json row_of(const nonzero_source& source, const matrix_structure& structure, std::uint32_t elements,
            const baseline_options& options, const compute_engine* engine) {
  const software_machine machine;
  const std::uint64_t bytes = property_bytes(elements);
  const std::vector<double> saopt = saopt_seconds(structure);
  const auto tail =
      static_cast<std::size_t>(std::max_element(saopt.begin(), saopt.end()) - saopt.begin());
  const double suopt = suopt_seconds(structure.columns, source.nodes(), bytes);
  const double payload =
      static_cast<double>(structure.nodes[tail].slice_columns) * static_cast<double>(bytes);
  json row = {{"elements", elements},
              {"suopt_s", suopt},
              {"saopt_s", saopt[tail]},
              {"saopt_over_suopt", suopt / saopt[tail]},
              {"saopt_tail", tail},
              {"saopt_goodput_percent", 100 * payload / saopt[tail] / machine.link}};
  if (engine != nullptr) add_compute(row, source, saopt, options, *engine);
  return row;
}

// "-" where nothing is communicated, or nothing computed.
std::string cell(double value, int width, const char* unit = "") {
  return std::isfinite(value) ? fmt::format("{:>{}.3g}{}", value, width, unit)
                              : fmt::format("{:>{}}{:>{}}", "-", width, "", std::strlen(unit));
}

std::string time_cell(const json& seconds) {
  return fmt::format("{:>15}", format_seconds(seconds.get<double>()));
}

// SAOpt has no network, so it may be faster than the link.
std::string goodput_cell(double percent) {
  return percent > 100 ? fmt::format("{:>15}", "> 100 %") : cell(percent, 13, " %");
}

void print(const json& rows, const nonzero_source& source, const compute_engine* engine) {
  print_text("{}, {} nodes\n{:>6}{:>15}{:>15}{:>16}{:>15}", source.name(), source.nodes(), "K",
             "SUOpt", "SAOpt", "SAOpt speed-up", "SAOpt goodput");
  if (engine != nullptr)
    print_text("{:>15}   speed-up over one node: alone, SAOpt, SUOpt", "compute");
  print_text("\n");
  for (const json& row : rows) {
    print_text("{:>6}{}{}{}{}", row["elements"].get<int>(), time_cell(row["suopt_s"]),
               time_cell(row["saopt_s"]), cell(row["saopt_over_suopt"].get<double>(), 14, " x"),
               goodput_cell(row["saopt_goodput_percent"].get<double>()));
    if (engine == nullptr) {
      print_text("\n");
      continue;
    }
    print_text("{}{}{}{}", time_cell(row["compute_s"]),
               cell(row["speed_up"]["no_communication"].get<double>(), 9),
               cell(row["speed_up"]["saopt"].get<double>(), 9),
               cell(row["speed_up"]["suopt"].get<double>(), 9));
    print_text("\n");
  }
}

int baseline_command(const baseline_options& options) {
  const compute_engine* const engine = engine_named(options.engine);
  options.matrix.check();
  if (options.cores == 0 || options.cores > 255)
    throw user_error(fmt::format("--cores {}: from 1 to 255", options.cores));
  if (options.batch == 0) throw user_error("--batch 0: a batch has at least one nonzero");
  for (const std::uint32_t each : options.elements)
    if (each == 0 || each > most_property_elements)
      throw user_error(fmt::format("--k {}: a property has from 1 to {} elements", each,
                                   most_property_elements));
  check_named_outputs({options.matrix.path()}, {{"--json", options.json_file}});
  wanted_file file(options.json_file);
  const auto source = options.matrix.open();
  const matrix_structure structure = structure_of(*source, options.cores);
  json rows = json::array();
  for (const std::uint32_t each : options.elements)
    rows.push_back(row_of(*source, structure, each, options, engine));
  print(rows, *source, engine);
  if (file) file.write(json{{"name", source->name()}, {"rows", rows}}.dump(1) + "\n");
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<baseline_options>();
  options->matrix.declare(command);
  command.add_option("--cores", options->cores, "of a node, each of which runs SAOpt by itself");
  command.add_option("--k", options->elements, "elements of a property: 1,16,128")
      ->delimiter(',')
      ->allow_extra_args(false);
  CLI::Option* const engine = command.add_option("--engine", options->engine,
                                                 "also SpMM on accelerator, cpu_ddr or cpu_hbm");
  command.add_option("--batch", options->batch, "nonzeros that the engine takes at a time")
      ->needs(engine);
  command.add_option("--json", options->json_file, "the same as JSON");
  return [options] { return baseline_command(*options); };
}

HEDDLE_REGISTER_COMMAND(sparse_baselines,
                        {"sparse_baselines",
                         "what software, or computation alone, takes on a sparse matrix", &declare,
                         true});

}  // namespace
}  // namespace heddle
