// Tensors from files and back: result files hold the golden's bits in the shape of the input.
#include <algorithm>
#include <catch2/catch.hpp>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/npy.hpp"
#include "platform/tensor/random.hpp"
#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

constexpr std::size_t ranks = 3;
const std::vector<std::size_t> shape = {7, 11};

std::vector<npy_array> make_tensors(dtype type) {
  std::vector<npy_array> tensors(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    tensors[rank].type = type;
    tensors[rank].shape = shape;
    tensors[rank].data.resize(shape[0] * shape[1] * size_of(type));
    fill_random(type, tensors[rank].data.data(), shape[0] * shape[1], 99, rank);
  }
  return tensors;
}

void write(const scratch_folder& folder, const std::vector<npy_array>& tensors) {
  for (std::size_t rank = 0; rank < tensors.size(); ++rank)
    write_npy(folder.file("in" + std::to_string(rank) + ".npy"), tensors[rank]);
}

tensor_bytes golden(const std::vector<npy_array>& tensors) {
  rank_inputs inputs;
  for (const npy_array& each : tensors) inputs.push_back(each.data.data());
  return golden_ring_allreduce(tensors[0].type, reduce_op::sum, inputs, shape[0] * shape[1]);
}

// A netlist in the folder whose workload reads files.
std::string netlist_in(const scratch_folder& folder, const std::string& workload) {
  return folder.write("npy.yaml",
                      "heddle: 1\n"
                      "name: npy\n"
                      "units:\n"
                      "  gpu: {array: 3, index: g, use: units/accelerator.yaml, number: \"${g}\"}\n"
                      "  nvs: {array: 4, type: switch, ports: 3}\n"
                      "links:\n"
                      "  - {for: {g: 3, p: 4}, between: [\"gpu[g].port[p]\", \"nvs[p].port[g]\"]}\n"
                      "workload: {collective: allreduce, " +
                          workload + "}\n");
}

command_result run_in(const scratch_folder& folder, const std::string& workload,
                      const settings& values = {}) {
  command line = run_command(netlist_in(folder, workload), "out", values);
  line.folder = folder.path();
  return run(line);
}

}  // namespace

TEST_CASE("results in files equal the golden") {
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32}) {
    const scratch_folder folder;
    const std::vector<npy_array> tensors = make_tensors(type);
    write(folder, tensors);
    const std::string named = "dtype: " + std::string(name_of(type));
    const command_result result = run_in(folder, named + ", input: \"in{r}.npy\"");
    INFO(named << "\n" << result.errors);
    REQUIRE(result.exited_with(0));
    const tensor_bytes expected = golden(tensors);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const npy_array got =
          read_npy(folder.file("out/result_rank" + std::to_string(rank) + ".npy"), type);
      CHECK(got.shape == shape);
      CHECK((got.data == expected));
    }
  }
}

// As yaml/REFERENCE.md says.
TEST_CASE("a ring reduce-scatter leaves the chunk behind a rank's own, others its own") {
  const scratch_folder folder;
  const std::vector<npy_array> tensors = make_tensors(dtype::int32);
  write(folder, tensors);
  const tensor_bytes sum = golden(tensors);
  const std::string algorithm = GENERATE("ring", "halving_doubling");
  const command_result result =
      run_in(folder, "dtype: int32, input: \"in{r}.npy\"",
             {{"workload.collective", "reduce_scatter"}, {"workload.algorithm", algorithm}});
  INFO(algorithm << "\n" << result.errors);
  REQUIRE(result.exited_with(0));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const npy_array got =
        read_npy(folder.file("out/result_rank" + std::to_string(rank) + ".npy"), dtype::int32);
    const element_range chunk =
        chunk_range(shape[0] * shape[1], ranks, algorithm == "ring" ? (rank + 1) % ranks : rank);
    const auto begin = static_cast<std::ptrdiff_t>(4 * chunk.begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(4 * chunk.count);
    CHECK(std::equal(sum.begin() + begin, sum.begin() + end, got.data.begin() + begin));
  }
}

TEST_CASE("the output is named by the workload, absolute paths are taken as they are") {
  const scratch_folder folder;
  const std::vector<npy_array> tensors = make_tensors(dtype::fp32);
  write(folder, tensors);
  const command_result result =
      run_in(folder, "dtype: fp32, input: \"" + folder.file("in{r}.npy") + "\", output: \"" +
                         folder.file("sum{r}.npy") + "\"");
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK((read_npy(folder.file("sum2.npy"), dtype::fp32).data == golden(tensors)));
}

TEST_CASE("results do not replace operands, nor do waves") {
  const scratch_folder folder;
  write(folder, make_tensors(dtype::fp32));
  const auto error = [&](const std::string& workload, const settings& values) {
    const command_result result = run_in(folder, "dtype: fp32, " + workload, values);
    CHECK(result.exited_with(2));
    return result.errors;
  };
  const std::string input = "input: \"" + folder.file("in{r}.npy") + "\"";
  CHECK_THAT(error(input + ", output: \"" + folder.file("./in{r}.npy") + "\"", {}),
             Catch::Contains("the results would replace the files of `input`"));
  CHECK_THAT(error(input + ", output: \"../in{r}.npy\"", {}),
             Catch::Contains("results lie in the run directory, or where an absolute path says"));
  CHECK_THAT(error(input + ", output: \"in{r}.json\"", {}),
             Catch::Contains("results are NumPy files: a name that ends in .npy"));
  CHECK_THAT(error(input, {{"trace", "{wave: stats.json}"}}),
             Catch::Contains("--set trace: stats.json: waves are .vcd or .fst files, not .json"));
  command line = run_command("npy.yaml", "out", {});
  line.words.insert(line.words.end(), {"--wave", "in1.npy"});
  line.folder = folder.path();
  CHECK_THAT(run(line).errors, Catch::Contains("--wave in1.npy: the run reads this file"));
}

TEST_CASE("files give sizes and times even when no data are carried") {
  const scratch_folder folder;
  write(folder, make_tensors(dtype::fp32));
  const std::string workload = "dtype: fp32, input: \"in{r}.npy\"";
  REQUIRE(run_in(folder, workload).exited_with(0));
  const auto with_data = nlohmann::json::parse(folder.content("out/stats.json"));
  const command_result result = run_in(folder, workload, {{"data", "off"}});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  const auto without = nlohmann::json::parse(folder.content("out/stats.json"));
  CHECK(without["collectives"][0]["bytes"] == 4 * shape[0] * shape[1]);
  CHECK(without["collectives"][0]["time_s"] == with_data["collectives"][0]["time_s"]);
}

TEST_CASE("mistakes in tensor files") {
  const scratch_folder folder;
  std::vector<npy_array> tensors = make_tensors(dtype::fp32);
  const auto message = [&](const std::string& workload) {
    const command_result result = run_in(folder, workload);
    CHECK(result.exited_with(2));
    CHECK_FALSE(folder.has("out"));
    return result.errors;
  };
  const std::string of_netlist = folder.file("npy.yaml") + ":8:";
  const std::string input = "dtype: fp32, input: \"in{r}.npy\"";
  CHECK(message(input) == "in0.npy: cannot be read: No such file or directory\n");
  write(folder, tensors);
  CHECK(message("dtype: fp16, input: \"in{r}.npy\"") ==
        "in0.npy: byte 20: the file holds '<f4' (fp32), but fp16 is wanted\n");
  CHECK(message("dtype: fp32, input: in.npy") ==
        of_netlist +
            "55: `input` names one file a rank: it needs {r}, as in tensors/rank{r}.npy\n");
  CHECK(message(input + ", bytes: 4 KiB") ==
        of_netlist + "75: `bytes` and `input` exclude each other: the files have a size\n");
  CHECK(message(input + ", output: result.npy") ==
        of_netlist + "76: `output` names one file a rank: it needs {r}, as in sum_rank{r}.npy\n");
  folder.write("in1.npy", "no tensor at all");
  CHECK(message(input) == "in1.npy: byte 0: not an .npy file (those begin with \\x93NUMPY)\n");
  tensors[1].shape = {shape[1], shape[0]};
  write(folder, tensors);
  CHECK(message(input) == "in1.npy: its shape (11, 7) differs from that of in0.npy (7, 11)\n");
  const std::string whole = folder.content("in2.npy");
  write(folder, make_tensors(dtype::fp32));
  folder.write("in2.npy", whole.substr(0, whole.size() - 1));
  CHECK(message(input) == "in2.npy: byte 435: the file ends after 307 of 308 bytes of data\n");
  for (npy_array& each : tensors) {
    each.shape = {0};
    each.data.clear();
  }
  write(folder, tensors);
  CHECK(message(input) == "in0.npy: holds no elements\n");
}
