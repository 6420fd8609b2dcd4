// `heddle quantize`: what block-wise quantization costs an all-reduce, by bits and block size.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/workloads/collective/golden/quantization_study.hpp"
#include "models/workloads/collective/tensors.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/tensor/activation.hpp"
#include "platform/tensor/quantize.hpp"
#include "platform/tensor/reference.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

// Numbers as the user gives them, wrong ones too. Defaults are those of SCIN Table 1: 8 ranks, INT8
// and INT4, blocks of 32 to 512.
struct quantize_options {
  std::vector<std::int64_t> bits = {8, 4};
  std::vector<std::int64_t> blocks = {32, 64, 128, 256, 512};
  std::int64_t ranks = 8;
  std::int64_t elements = 1 << 20;  // of the layers together: 8 tokens of 4096 channels each
  std::int64_t layers = 32;         // those of LLaMA-2 7B, of which Table 1 is
  std::string dtype = "fp16";
  std::uint64_t seed = 1;
  std::string input;  // pattern of .npy files with {r}; "": activation-like tensors
  std::string csv_file, json_file;
};

using study_rows = std::vector<quantization_comparison>;

// What a workstation's memory holds: inputs of 2 or 4 B an element, results and reference.
constexpr std::int64_t most_ranks = 1024;
constexpr std::int64_t most_layers = 4096;
constexpr std::int64_t most_elements = std::int64_t{1} << 31;  // of all ranks together

void check_range(const char* option, std::int64_t value, std::int64_t most) {
  if (value < 1 || value > most)
    throw user_error(fmt::format("{} {}: expected 1 to {}", option, value, most));
}

dtype read_dtype(const std::string& name) {
  const auto type = parse_dtype(name);
  if (!type || !can_quantize(*type))
    throw user_error("--dtype " + name + ": expected fp16, bf16 or fp32");
  return *type;
}

// Each once, in the order in which they are asked for.
std::vector<quantization> read_formats(const quantize_options& options) {
  std::vector<quantization> formats;
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  for (const std::int64_t bits : options.bits) {
    for (const std::int64_t block : options.blocks) {
      const quantization how{static_cast<unsigned>(bits), static_cast<std::size_t>(block)};
      if (bits != 8 && bits != 4) throw user_error(fmt::format("--bits {}: expected 8 or 4", bits));
      if (!how.is_valid())
        throw user_error(fmt::format("--block {}: expected a power of two from {} to {}", block,
                                     quantization::smallest_block, quantization::largest_block));
      if (known.emplace(bits, block).second) formats.push_back(how);
    }
  }
  return formats;
}

// The partial sums of layer after layer: each has outliers of its own, and there are so few in one
// that its error depends on where they are.
tensor_bytes activations_of(const quantize_options& options, dtype type, std::size_t rank) {
  const auto elements = static_cast<std::size_t>(options.elements);
  const auto layers = static_cast<std::size_t>(options.layers);
  const std::size_t tokens =
      (elements + layers * llama2_7b_hidden_size - 1) / (layers * llama2_7b_hidden_size);
  const std::size_t longest = tokens * llama2_7b_hidden_size;
  tensor_bytes tensor(elements * size_of(type));
  for (std::size_t layer = 0; layer * longest < elements; ++layer) {
    const std::size_t begin = layer * longest;
    const std::uint64_t seed = options.seed + (std::uint64_t{layer} << 32U);
    fill_activation(type, tensor.data() + begin * size_of(type),
                    std::min(longest, elements - begin), seed, rank);
  }
  return tensor;
}

job_inputs make_study_inputs(const quantize_options& options, dtype type) {
  const auto ranks = static_cast<std::size_t>(options.ranks);
  if (!options.input.empty()) {
    if (options.input.find("{r}") == std::string::npos)
      throw user_error("--input " + options.input + ": needs {r} where the rank's number stands");
    collective_config config;
    config.input = options.input;
    config.type = type;
    return make_inputs(config, ranks, 0, options.seed);
  }
  job_inputs inputs;
  inputs.elements = static_cast<std::size_t>(options.elements);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    inputs.by_rank.push_back(activations_of(options, type, rank));
  return inputs;
}

json as_json(const quantization_error& error) {
  return {{"relative_rms", error.relative_rms},
          {"largest", error.largest},
          {"sqnr_dB", error.sqnr_db()}};
}

json as_json(const study_rows& rows, const quantize_options& options, std::size_t elements) {
  json table = json::array();
  for (const quantization_comparison& row : rows)
    table.push_back({{"bits", row.how.bits},
                     {"block", row.how.block},
                     {"inq", as_json(row.inq)},
                     {"ring", as_json(row.ring)},
                     {"gap", row.gap()},
                     {"ratio", row.ratio()},
                     {"compression", row.compression}});
  const auto gap = exceptions_from_growth(rows, &quantization_comparison::gap);
  const auto ratio = exceptions_from_growth(rows, &quantization_comparison::ratio);
  return {{"ranks", options.ranks},
          {"dtype", options.dtype},
          {"elements", elements},
          {"rows", table},
          {"exceptions",
           {{"inq_is_better", exceptions_from_advantage(rows)},
            {"gap_grows_with_block", gap.with_block},
            {"gap_grows_with_fewer_bits", gap.with_fewer_bits},
            {"ratio_grows_with_block", ratio.with_block},
            {"ratio_grows_with_fewer_bits", ratio.with_fewer_bits}}}};
}

// Where neither has an error, there is no ratio of them.
std::string ratio_text(const quantization_comparison& row, const char* none, const char* format) {
  return std::isnan(row.ratio()) ? none : fmt::format(fmt::runtime(format), row.ratio());
}

std::string as_csv(const study_rows& rows) {
  std::string text =
      "bits,block,inq_relative_rms,inq_largest,inq_sqnr_dB,ring_relative_rms,ring_largest,"
      "ring_sqnr_dB,gap,ratio,compression\n";
  for (const quantization_comparison& row : rows)
    text +=
        fmt::format("{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{:.6g}\n",
                    row.how.bits, row.how.block, row.inq.relative_rms, row.inq.largest,
                    row.inq.sqnr_db(), row.ring.relative_rms, row.ring.largest, row.ring.sqnr_db(),
                    row.gap(), ratio_text(row, "", "{:.6g}"), row.compression);
  return text;
}

void print_head(const quantize_options& options, std::size_t elements) {
  std::printf("quantized allreduce, %s, %zu elements of %s, %s\n",
              counted(static_cast<std::uint64_t>(options.ranks), "rank").c_str(), elements,
              options.dtype.c_str(),
              options.input.empty() ? "activation-like" : options.input.c_str());
  std::printf("             error in the switch         error around a ring\n");
  std::printf("%-6s%5s %9s %8s %8s %9s %8s %8s %9s %6s %6s\n", "type", "block", "rms", "max",
              "SQNR", "rms", "max", "SQNR", "gap", "ratio", "bytes");
}

void print(const quantization_comparison& row) {
  std::printf("INT%-3u%5zu %7.4f %% %8.4f %5.1f dB %7.4f %% %8.4f %5.1f dB %7.4f %% %6s %5.2fx\n",
              row.how.bits, row.how.block, 100 * row.inq.relative_rms, row.inq.largest,
              row.inq.sqnr_db(), 100 * row.ring.relative_rms, row.ring.largest, row.ring.sqnr_db(),
              100 * row.gap(), ratio_text(row, "-", "{:.3f}").c_str(), row.compression);
  std::fflush(stdout);
}

int quantize_command(const quantize_options& options) {
  const dtype type = read_dtype(options.dtype);
  const std::vector<quantization> formats = read_formats(options);
  check_range("--ranks", options.ranks, most_ranks);
  check_range("--elements", options.elements, most_elements / options.ranks);
  check_range("--layers", options.layers, most_layers);
  const job_inputs inputs = make_study_inputs(options, type);
  rank_inputs pointers;
  for (const tensor_bytes& each : inputs.by_rank) pointers.push_back(each.data());
  const std::vector<double> reference = float64_sum(type, pointers, inputs.elements);
  if (!std::all_of(reference.begin(), reference.end(), [](double x) { return std::isfinite(x); }))
    throw user_error("--input " + options.input + ": holds infinities or NaNs");

  check_named_outputs({}, {{"--csv", options.csv_file}, {"--json", options.json_file}});
  wanted_file csv_file(options.csv_file), json_file(options.json_file);
  print_head(options, inputs.elements);
  study_rows rows;
  for (const quantization& how : formats) {
    rows.push_back(compare_quantized_allreduces(how, type, pointers, reference));
    print(rows.back());
  }
  std::printf(
      "rms: root mean square of the error, max: the largest error, both over the root mean square "
      "of the float64 sum;\n"
      "gap and ratio: of the ring's rms and the switch's\n");
  csv_file.write(as_csv(rows));
  json_file.write(as_json(rows, options, inputs.elements).dump(1) + "\n");
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<quantize_options>();
  command.add_option("--bits", options->bits, "8, 4 or 8,4")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--block", options->blocks, "elements a scale, for example 32,64")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--ranks", options->ranks, "how many contribute");
  CLI::Option* const elements =
      command.add_option("--elements", options->elements, "length of the random tensors");
  CLI::Option* const layers = command.add_option("--layers", options->layers,
                                                 "of a model, that they are the activations of");
  command.add_option("--dtype", options->dtype, "fp16, bf16 or fp32");
  CLI::Option* const seed =
      command.add_option("--seed", options->seed, "seed of the random tensors");
  command.add_option("--input", options->input, "DIR/rank{r}.npy: one tensor a rank instead")
      ->excludes(elements)
      ->excludes(layers)
      ->excludes(seed);
  command.add_option("--csv", options->csv_file, "also write the rows to this file");
  command.add_option("--json", options->json_file, "the same as JSON");
  return [options] { return quantize_command(*options); };
}

HEDDLE_REGISTER_COMMAND(quantize, {"quantize", "error of quantized all-reduces", &declare, true});

}  // namespace
}  // namespace heddle
