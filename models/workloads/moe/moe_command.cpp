// heddle moe: the laws of mixture-of-experts layers, without a simulation.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/workloads/moe/moe_study.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

struct moe_options {
  std::vector<std::string> models = {"S", "M", "L"};
  std::vector<std::int64_t> topk = {8, 16, 32};
  std::vector<std::int64_t> gpus = {32};
  std::string json_file;
};

moe_study_row row_of(const std::string& name, std::int64_t gpus, std::int64_t topk) {
  const moe_model* model = find_moe_model(name);
  if (!model)
    throw user_error("--models " + name + ": no such model" +
                     did_you_mean(name, moe_model_names()));
  moe_study_row row{name, model->shape, 0};
  if (gpus < 2 || row.shape.experts % gpus != 0)
    throw user_error(
        fmt::format("--gpus {}: expected 2 or more, among which the {} experts of {} "
                    "can be divided evenly",
                    gpus, row.shape.experts, name));
  if (topk < 1 || topk > row.shape.experts)
    throw user_error(fmt::format("--topk {}: expected 1 to the {} experts of {}", topk,
                                 row.shape.experts, name));
  row.shape.gpus = static_cast<std::uint32_t>(gpus);
  row.shape.topk = static_cast<std::uint32_t>(topk);
  row.distinct = distinct_gpus_law(row.shape);
  row.leaving = leaving_law(row.shape);
  return row;
}

int moe_command(const moe_options& options) {
  std::vector<moe_study_row> rows;
  for (const std::string& model : options.models)
    for (const std::int64_t gpus : options.gpus)
      for (const std::int64_t topk : options.topk) rows.push_back(row_of(model, gpus, topk));
  wanted_file file(options.json_file);
  print_moe_rows(rows);
  print_efficiency_table();
  if (file) file.write(moe_study_json(rows).dump(1) + "\n");
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<moe_options>();
  command.add_option("--models", options->models, "S, M, L, gpt-oss-120b, qwen3-235b")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--topk", options->topk, "experts of a token, for example 8,16,32")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--gpus", options->gpus, "for example 4,8,16,32,64")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--json", options->json_file, "also write the figures to this file");
  return [options] { return moe_command(*options); };
}

HEDDLE_REGISTER_COMMAND(moe, {"moe",
                              "laws of mixture-of-experts layers: traffic, packets, bounds of the "
                              "time",
                              &declare, true});

}  // namespace
}  // namespace heddle
