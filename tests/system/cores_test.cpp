// The same sources natively and instruction by instruction: every collective is verified on both,
// and the difference in time is explained to the femtosecond.
#include <catch2/catch.hpp>

#include <cmath>
#include <iterator>
#include <set>

#include "sw/collectives/algorithms.h"
#include "sw/hal/boot.h"
#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

struct compared {
  const char* netlist;
  const char* collective;
  std::vector<std::string> algorithms;
  settings more;
};

#define NAME_OF(name, number, function) #name,
#define NAME_ON_MESH(name, number) #name,
constexpr const char* algorithm_names[] = {COLLECTIVE_ALGORITHMS(NAME_OF)
                                               MESH_ALGORITHMS(NAME_ON_MESH)};
#undef NAME_OF
#undef NAME_ON_MESH

constexpr const char* ring = "yaml/ring_allreduce.yaml";
constexpr const char* scin = "yaml/scin_dgx8.yaml";
constexpr const char* mesh = "yaml/mesh_tiles.yaml";
constexpr const char* torus = "yaml/torus.yaml";
constexpr const char* trees = "yaml/tree_allreduce.yaml";
constexpr const char* pods = "yaml/pods.yaml";

const settings four_ranks = {{"params.gpus", "4"}, {"workload.bytes", "[1 KiB, 64 KiB]"}};
const settings reduced = {{"params.gpus", "4"}, {"workload.bytes", "16 KiB"}};
const settings doubles = {{"workload.bytes", "[72 B, 4 KiB]"}, {"workload.slot_bytes", "1 KiB"}};
const settings two_leaves = {
    {"params.leaves", "2"}, {"params.hosts", "2"}, {"workload.bytes", "16 KiB"}};
const settings one_leaf = {
    {"params.leaves", "1"}, {"params.hosts", "4"}, {"workload.bytes", "16 KiB"}};
const settings two_pods = {{"params.pods", "2"},   {"params.gpus", "2"},
                           {"params.rails", "2"},  {"params.leaves", "1"},
                           {"params.spines", "1"}, {"workload.bytes", "16 KiB"},
                           {"data", "on"},         {"workload.explain", "on"}};
const settings two_by_two = {{"params.x", "2"},
                             {"params.y", "2"},
                             {"workload.sides", "[2, 2]"},
                             {"workload.bytes", "16 KiB"}};

const std::vector<compared> all = {
    {ring,
     "allreduce",
     {"ring", "direct", "halving_doubling", "recursive_doubling", "double_tree", "auto"},
     four_ranks},
    {ring, "alltoall", {"pairwise"}, reduced},
    {torus, "allreduce", {"torus"}, two_by_two},
    {trees, "allreduce", {"tree", "tree_two_phase"}, two_leaves},
    {trees, "alltoall", {"scatter_gather"}, one_leaf},
    {pods, "allreduce", {"nvls_tree"}, two_pods},
    {ring, "reduce_scatter", {"ring"}, four_ranks},
    {ring, "allgather", {"ring"}, four_ranks},
    {ring, "broadcast", {"ring"}, four_ranks},
    {ring, "barrier", {"ring"}, {{"params.gpus", "4"}}},
    {ring, "p2p_latency", {"ring"}, four_ranks},
    {ring, "p2p_bandwidth", {"ring"}, four_ranks},
    {scin, "allreduce", {"nvls", "scin", "scin_inq"}, four_ranks},
    {scin, "reduce_scatter", {"nvls", "scin"}, reduced},
    {scin, "allgather", {"nvls", "scin"}, reduced},
    {scin, "broadcast", {"scin"}, reduced},
    {scin, "reduce", {"scin"}, reduced},
    {mesh, "broadcast", {"mesh_hw", "mesh_seq", "mesh_tree", "mesh_naive"}, doubles},
    {mesh, "reduce", {"mesh_hw", "mesh_seq", "mesh_tree", "mesh_naive"}, doubles},
    {mesh, "alltoall", {"mesh_naive"}, {{"workload.bytes", "[128 B, 1 KiB]"}}},
    {mesh, "barrier", {"mesh_hw", "mesh_seq", "mesh_tree"}, {}},
};

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return "[" + text + "]";
}

command comparison(const compared& which, const std::string& json_file) {
  settings values = which.more;
  values.emplace_back("workload.collective", which.collective);
  values.emplace_back("workload.algorithm", listed(which.algorithms));
  command line;
  const bool is_mesh = which.netlist == mesh;
  line.words = {heddle_program(),
                "compare",
                project_file(which.netlist),
                "--json",
                json_file,
                "--with",
                std::string("params.core=") + (is_mesh ? "mesh_rv64_core.yaml" : "rv64_core")};
  for (const auto& [path, value] : values)
    line.words.insert(line.words.end(), {"--set", path + "=" + value});
  return line;
}

}  // namespace

TEST_CASE("every collective takes an explained time more on the RV64 core") {
  const auto each = GENERATE(from_range(all));
  const scratch_folder folder;
  const command_result seen = run(comparison(each, folder.file("rows.json")));
  INFO(each.netlist << " " << each.collective << "\n" << seen.output << seen.errors);
  REQUIRE(seen.exited_with(0));
  const auto rows = nlohmann::json::parse(folder.content("rows.json"));
  for (const auto& row : rows) {
    INFO(row.dump(1));
    CHECK(row["verified"] == true);
    // Natively, what the firmware computes between its accesses takes no time.
    CHECK(row["difference_s"] > 0.0);
    CHECK(row["of_it_s"]["firmware"].get<double>() + row["of_it_s"].value("doorbell", 0.0) > 0);
    double sum = 0;
    for (const auto& part : row["of_it_s"]) sum += part.get<double>();
    CHECK(std::abs(sum - row["difference_s"].get<double>()) < 1e-15);
  }
  CHECK(rows.size() % each.algorithms.size() == 0);
  CHECK(seen.output.find(" instructions, ") != std::string::npos);
}

TEST_CASE("no algorithm and no collective is left out of the comparison") {
  std::set<std::string> algorithms, collectives;
  for (const compared& each : all) {
    collectives.insert(each.collective);
    algorithms.insert(each.algorithms.begin(), each.algorithms.end());
  }
  constexpr std::size_t by_collective = 2;  // dissemination and write, which no netlist names
  constexpr std::size_t by_size = 1;        // auto
  CHECK(algorithms.size() == std::size(algorithm_names) - by_collective + by_size);
  CHECK(collectives.size() == BOOT_ALLTOALL + 1 - 2);  // without the kernels
}

TEST_CASE("a comparison that cannot be made says why") {
  const auto outcome = [](std::vector<std::string> words) {
    command line;
    line.words = {heddle_program(), "compare", project_file(ring), "--set",
                  "workload.bytes=[1 KiB]"};
    line.words.insert(line.words.end(), words.begin(), words.end());
    return run(line);
  };
  CHECK(outcome({}).exited_with(2));
  const command_result unknown = outcome({"--with", "params.kore=rv64_core"});
  CHECK(unknown.exited_with(2));
  CHECK(unknown.errors.find("did you mean 'core'") != std::string::npos);
  CHECK(outcome({"--with", "nobody.rate=1"}).errors ==
        "--with nobody.rate: no unit matches 'nobody'\n");
  CHECK(outcome({"--with", "links[9].latency=1 ns"}).errors ==
        "--with: no index [9] in 'links', a list of 1\n");
  CHECK(outcome({"--set", "links[9].latency=1 ns", "--with", "train=1"}).errors ==
        "--set: no index [9] in 'links', a list of 1\n");
  CHECK(outcome({"--with", "workload.bytes=[1 KiB, 2 KiB]"}).exited_with(2));
  // Without an explanation, times alone.
  const command_result plain =
      outcome({"--set", "workload.explain=off", "--with", "params.core=rv64_core"});
  CHECK(plain.exited_with(0));
  CHECK(plain.output.find("firmware +") == std::string::npos);
}
