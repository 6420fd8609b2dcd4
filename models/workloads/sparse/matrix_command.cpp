// heddle matrix: what a sparse matrix looks like to the network once its rows are divided among
// nodes; a stand-in beside what the literature says of the matrix that it stands for.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/sparse/csr_file.hpp"
#include "models/sparse/matrix_market.hpp"
#include "models/sparse/matrix_structure.hpp"
#include "models/sparse/standin_description.hpp"
#include "models/workloads/gather/print_text.hpp"
#include "models/workloads/sparse/matrix_choice.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/text/deviation.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

struct matrix_options {
  matrix_choice matrix;
  std::string csr_file, json_file;
};

struct structure_row {
  const char* key;
  const char* meaning;
  double ours;
  std::optional<double> source;
};

std::vector<structure_row> rows_of(const matrix_structure& ours,
                                   const std::optional<standin_description>& standin) {
  const auto of = [&](double standin_source::*member) {
    return standin ? std::optional<double>(standin->source.*member) : std::nullopt;
  };
  std::optional<double> remote_share, imbalance;
  if (standin) {
    remote_share = standin->remote_columns() * standin->uses() * standin->source.nodes /
                   static_cast<double>(standin->source.nonzeros);
    imbalance = standin->structure.imbalance;
  }
  return {
      {"unaware", "useless properties for each useful one, all sent", ours.unaware(),
       of(&standin_source::unaware)},
      {"aware", "the same, each remote nonzero asks", ours.aware(), of(&standin_source::aware)},
      {"destinations", "owners of 64 consecutive remote nonzeros", ours.destinations(),
       of(&standin_source::destinations)},
      {"sharing", "share of remote columns that the rack shares", ours.sharing(),
       of(&standin_source::sharing)},
      {"remote_share", "remote nonzeros of all", ours.remote_share(), remote_share},
      {"slices", "remote columns of 64 slices over the node's", ours.slices(),
       of(&standin_source::slices)},
      {"tail", "remote columns, largest node over mean", ours.tail(), of(&standin_source::tail)},
      {"imbalance", "nonzeros, largest node over mean", ours.imbalance(), imbalance}};
}

std::string row_text(const structure_row& row) {
  std::string text = fmt::format("  {:<50}", row.meaning);
  if (row.source) text += fmt::format("{:>10.4g}", *row.source);
  text += fmt::format("{:>10.4g}", row.ours);
  if (row.source && *row.source != 0)
    text += fmt::format("{:>11}", deviation_text(row.ours / *row.source - 1, 1));
  return text + "\n";
}

std::string table_of(const nonzero_source& source, const matrix_structure& ours,
                     const std::vector<structure_row>& rows) {
  std::string text = fmt::format("{}: {} rows, {} nonzeros, {} nodes\n", source.name(),
                                 source.rows().rows(), ours.nonzeros, source.nodes());
  if (rows.front().source) text += fmt::format("{:>62}{:>10}{:>11}\n", "source", "ours", "error");
  for (const structure_row& each : rows) text += row_text(each);
  return text;
}

json json_of(const nonzero_source& source, const matrix_structure& ours,
             const std::vector<structure_row>& rows) {
  json result = {{"name", source.name()},     {"rows", source.rows().rows()},
                 {"nonzeros", ours.nonzeros}, {"nodes", source.nodes()},
                 {"remote", ours.remote},     {"remote_columns", ours.remote_columns}};
  for (const structure_row& each : rows) {
    result[each.key] = each.ours;
    if (each.source) result["source"][each.key] = *each.source;
  }
  return result;
}

void convert(const std::string& path, const std::string& to) {
  if (std::filesystem::path(path).extension() != ".mtx")
    throw user_error("--csr: only Matrix Market files are converted, not " + path);
  write_csr(to, read_matrix_market(path).view());
}

int matrix_command(const matrix_options& options) {
  options.matrix.check();
  const std::string path = options.matrix.path();
  check_named_outputs({path}, {{"--json", options.json_file}, {"--csr", options.csr_file}});
  wanted_file json_file(options.json_file);
  const auto source = options.matrix.open();
  if (!options.csr_file.empty()) convert(path, options.csr_file);
  std::optional<standin_description> standin;
  if (std::filesystem::path(path).extension() == ".yaml") standin = read_standin_description(path);
  const matrix_structure ours = structure_of(*source);
  const std::vector<structure_row> rows = rows_of(ours, standin);
  print_text("{}", table_of(*source, ours, rows));
  if (json_file) json_file.write(json_of(*source, ours, rows).dump(1) + "\n");
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<matrix_options>();
  options->matrix.declare(command);
  command.add_option("--csr", options->csr_file, "write a Matrix Market file as binary CSR");
  command.add_option("--json", options->json_file, "the same figures as JSON");
  return [options] { return matrix_command(*options); };
}

HEDDLE_REGISTER_COMMAND(matrix, {"matrix",
                                 "structure of a sparse matrix on nodes; stand-ins beside what "
                                 "the literature says",
                                 &declare, true});

}  // namespace
}  // namespace heddle
