// GEMMs on a mesh of tiles, from the netlist to the data, their energy, and heddle gemm.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/mesh_gemm.yaml");
const std::string fcl = "fused_concat_linear";

heddle_run run_gemm(const std::string& kernel, settings more) {
  settings all = {{"workload.collective", kernel}};
  all.insert(all.end(), more.begin(), more.end());
  return heddle_run(netlist, all);
}

settings mesh(const std::string& width, const std::string& height, settings more = {}) {
  more.emplace_back("params.width", width);
  more.emplace_back("params.height", height);
  return more;
}

void check_verified(const std::string& kernel, settings more) {
  more.emplace_back("monitors", "on");
  const heddle_run done = run_gemm(kernel, std::move(more));
  INFO(done.report());
  CHECK(done.is_verified());
}

std::vector<double> times(const heddle_run& done) {
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  std::vector<double> all;
  const nlohmann::json stats = done.stats();
  for (const auto& each : stats["collectives"]) all.push_back(each["time_s"]);
  return all;
}

std::string refusal_of(const std::string& kernel, settings more) {
  const heddle_run done = run_gemm(kernel, std::move(more));
  INFO(done.report());
  CHECK(done.result().exited_with(2));
  return done.result().errors;
}

command_result in_folder(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), heddle_program());
  return run({words, folder});
}

// A 2 x 2 mesh with tiles of 8 x 8 doubles: 512 B, 8 beats.
nlohmann::json small_run(const std::string& kernel, const std::string& algorithm,
                         const std::string& steps) {
  const heddle_run done = run_gemm(kernel, mesh("2", "2",
                                                {{"workload.algorithm", algorithm},
                                                 {"workload.tile", "8"},
                                                 {"workload.iterations", steps}}));
  INFO(done.report());
  REQUIRE(done.is_verified());
  return done.stats();
}

std::vector<int> counts(const nlohmann::json& stats) {
  std::vector<int> all;
  for (const char* each : {"dma_load", "dma_store", "spm_write", "gemm", "sw_reduce", "dca_reduce"})
    all.push_back(stats["collectives"][0]["energy"][each]["count"]);
  return all;
}

// Beats that passed the router of a tile from one neighbor to another.
int beats_through(const nlohmann::json& stats, const std::string& tile) {
  return stats["units"][tile + ".routers.wide"]["hops"]["value"];
}

// pJ a byte, or an operation of an element (collective NoC, Table 1).
const std::vector<std::pair<const char*, double>> costs = {
    {"dma_load", 2.2}, {"dma_store", 2.4},  {"hop", 1.1},        {"spm_write", 1.8},
    {"gemm", 24.6},    {"sw_reduce", 22.4}, {"dca_reduce", 19.0}};

}  // namespace

TEST_CASE("both GEMMs have the bits of their order, by routers and by copies") {
  const std::string kernel = GENERATE("summa", "fused_concat_linear");
  check_verified(kernel, {{"workload.repeat", "2"}});
  check_verified(kernel, {{"workload.tile", "[8, 24]"}, {"workload.iterations", "1"}});
  check_verified(kernel, {{"workload.tile", "12"}, {"workload.iterations", "3"}});
}

TEST_CASE("GEMMs run unchanged on meshes of other shapes") {
  const auto [width, height] = GENERATE(table<std::string, std::string>(
      {{"1", "1"}, {"2", "1"}, {"1", "2"}, {"8", "2"}, {"2", "8"}, {"16", "16"}}));
  for (const char* kernel : {"summa", "fused_concat_linear"})
    check_verified(kernel, mesh(width, height, {{"workload.iterations", "2"}}));
}

TEST_CASE("single-flit buffers change no data of a GEMM") {
  for (const char* kernel : {"summa", "fused_concat_linear"})
    check_verified(kernel, {{"params.buffer", "1"},
                            {"params.reductions", "4"},
                            {"params.header_buffer", "1"},
                            {"workload.iterations", "4"}});
}

TEST_CASE("a GEMM without data takes as long") {
  const std::string kernel = GENERATE("summa", "fused_concat_linear");
  CHECK(times(run_gemm(kernel, {})) == times(run_gemm(kernel, {{"data", "off"}})));
}

// Eq 7: a step takes the longer of computation and communication, which here is computation: 522
// cycles, 2 x 16^3 flop at 16 x 0.981 a cycle. Between two of them lie 14: 1 until the engine runs,
// 1 until the core, which looks every second cycle, sees that it has ended, and 12 for the core's
// two reads of flags (3 each, one of them in their bank), five writes and a fence (1 each).
TEST_CASE("SUMMA by the routers is bound by computation") {
  const auto cycles_of_8_steps = [](const std::string& side) {
    const settings hw = {{"workload.algorithm", "mesh_hw"}};
    settings few = mesh(side, side, hw), many = few;
    few.emplace_back("workload.iterations", "4");
    many.emplace_back("workload.iterations", "12");
    return std::llround(1e9 *
                        (times(run_gemm("summa", many))[0] - times(run_gemm("summa", few))[0]));
  };
  const std::string side = GENERATE("4", "8");
  const auto cycles = cycles_of_8_steps(side);
  CHECK(cycles == 8 * (522 + 14));
  CHECK(static_cast<double>(cycles) / 8 == Approx(522).epsilon(0.03));  // the law
}

TEST_CASE("engines that multiply most of the time are the bottleneck") {
  const heddle_run done = run_gemm("summa", {{"workload.algorithm", "mesh_hw"}});
  INFO(done.report());
  const nlohmann::json stats = done.stats();
  const double time = stats["collectives"][0]["time_s"],
               busy = stats["units"]["tile[5].engine"]["busy"]["value"];
  CHECK(stats["busy"]["tile[5].engine"].get<double>() == Approx(busy / time));
  CHECK_THAT(
      stats["bottleneck"].get<std::string>(),
      Catch::Matchers::Matches("tile.*engine is the bottleneck: it was busy 9.* of the time."));
}

TEST_CASE("routers are faster than copies where communication counts") {
  const auto summa = times(run_gemm("summa", mesh("8", "8")));
  CHECK(summa[0] > 1.1 * summa[1]);
  const auto linear = times(run_gemm(fcl, mesh("8", "8")));
  CHECK(linear[0] > 1.5 * linear[1]);
}

// Loads: 2 A and 2 B. Each of 4 lines gives another tile 512 B. B of column 1 comes from the memory
// tile of row 1, past (0, 1).
TEST_CASE("counts and energy of SUMMA on a small mesh, worked out by hand") {
  for (const char* algorithm : {"mesh_tree", "mesh_hw"}) {
    const nlohmann::json stats = small_run("summa", algorithm, "1");
    CHECK(counts(stats) == std::vector<int>{2048, 2048, 2048, 2048, 0, 0});
    CHECK(beats_through(stats, "tile[2]") == 8);
    for (const char* other : {"tile[0]", "tile[1]", "tile[3]", "mem[0]", "mem[1]"})
      CHECK(beats_through(stats, other) == 0);
    const nlohmann::json& energy = stats["collectives"][0]["energy"];
    // Narrow words that move between the marks.
    const int words = algorithm == std::string("mesh_tree") ? 8 : 0;
    CHECK(energy["hop"]["count"] == 512 + words);
    CHECK(energy["total_J"].get<double>() ==
          Approx(1e-12 * (2048 * (2.2 + 2.4 + 1.8 + 24.6) + (512 + words) * 1.1)));
    CHECK(energy["dma_store"]["unit"] == "B");
    CHECK(energy["gemm"]["unit"] == "1");
  }
}

// Loads: 4 B, two of them past the first router of their row. By copies: three of them. By the
// routers: all four tiles give their C, (0, 1) passes a sum on, (0, 0) writes one.
TEST_CASE("counts of FusedConcatLinear on a small mesh, worked out by hand") {
  const nlohmann::json software = small_run(fcl, "mesh_tree", "8");
  CHECK(counts(software) == std::vector<int>{2048, 1536, 1536, 2048, 192, 0});
  CHECK(beats_through(software, "tile[0]") == 8);
  CHECK(beats_through(software, "tile[2]") == 8);
  const nlohmann::json hardware = small_run(fcl, "mesh_hw", "8");
  CHECK(counts(hardware) == std::vector<int>{2048, 2048, 512, 2048, 0, 192});
  CHECK(beats_through(hardware, "tile[0]") == 8);
  CHECK(beats_through(hardware, "tile[2]") == 16);
}

TEST_CASE("units say their energy, and the run is their sum") {
  const heddle_run done = run_gemm("summa", {{"workload.algorithm", "mesh_hw"}});
  const nlohmann::json stats = done.stats();
  double sum = 0;
  for (const auto& unit : stats["units"])
    if (unit.contains("energy")) sum += unit["energy"]["value"].get<double>();
  // The barrier after the end mark is not the job's.
  CHECK(sum == Approx(stats["collectives"][0]["energy"]["total_J"].get<double>()).epsilon(1e-4));
  const auto& energy = stats["collectives"][0]["energy"];
  INFO(energy.dump());
  CHECK(energy["gemm"]["count"] == 16 * 8 * 4096);  // of 16 tiles
  double all = 0;
  for (const auto& [primitive, cost] : costs) {
    if (!energy.contains(primitive)) continue;
    const double joules = energy[primitive]["energy_J"];
    CHECK(joules == Approx(1e-12 * cost * energy[primitive]["count"].get<double>()));
    all += joules;
  }
  CHECK(energy["total_J"] == Approx(all));
  CHECK(stats["units"]["tile[3].engine"]["energy"]["value"].get<double>() ==
        Approx(8 * 4096 * 24.6e-12));
  CHECK(done.folder().content("out/summary.txt").find("energy of the summa:") != std::string::npos);
}

TEST_CASE("what a GEMM cannot be is refused") {
  CHECK_THAT(refusal_of("summa", {{"workload.algorithm", "mesh_seq"}}),
             Catch::Contains("there is no summa by mesh_seq"));
  CHECK_THAT(refusal_of("summa", {{"workload.dtype", "fp32"}}),
             Catch::Contains("a GEMM multiplies and adds doubles: `dtype: fp64`, `op: sum`"));
  CHECK_THAT(refusal_of(fcl, {{"workload.iterations", "3"}}),
             Catch::Contains("a tile of 16 columns is not cut into 3 equal slices along K"));
  CHECK_THAT(refusal_of("summa", {{"workload.tile", "64"}}),
             Catch::Contains("has 128 KiB of memory, a job of tiles of 64 x 64 needs 172 KiB"));
  CHECK_THAT(refusal_of("summa", {{"workload.iterations", "400"}}),
             Catch::Contains("a memory tile has 1 MiB, its tiles of A and B need 1.563 MiB"));
  const heddle_run elsewhere(project_file("yaml/ring_allreduce.yaml"),
                             {{"workload.collective", "summa"},
                              {"workload.algorithm", "mesh_hw"},
                              {"workload.dtype", "fp64"}});
  CHECK(elsewhere.result().exited_with(2));
}

TEST_CASE("heddle gemm writes formulas and simulations as text, CSV and JSON") {
  const scratch_folder folder;
  const auto result = in_folder(folder.path(), {"gemm", "--meshes", "4,256", "--simulate", "4",
                                                "--csv", "g.csv", "--json", "g.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK_THAT(result.output, Catch::Contains("nothing is simulated\n"));
  CHECK_THAT(result.output,
             Catch::Contains("256 x 256    formula       522 |     2432     21.1 % |"));
  CHECK_THAT(result.output, Catch::Contains("simulated           |      560     "));
  CHECK_THAT(result.output, Catch::Contains("a step: what 16 steps take longer than 8, over 8"));
  CHECK_THAT(result.output, Catch::Contains("simulated and formula differ because"));
  CHECK_THAT(result.output, Catch::Contains("meshes beyond --simulate 4 have formulas alone"));
  const auto rows = nlohmann::json::parse(folder.content("g.json"))["rows"];
  REQUIRE(rows.size() == 4);
  CHECK(rows[1]["analytic"]["speed_up"] == Approx(2432.0 / 634));
  CHECK_FALSE(rows[1].contains("simulated"));
  CHECK(rows[0]["analytic"]["hardware"]["cycles"] == Approx(2 * 4096 / (16 * 0.981)));
  CHECK(std::llround(rows[0]["simulated"]["hardware"]["cycles"].get<double>()) == 522 + 14);
  CHECK(rows[2]["kernel"] == fcl);
  CHECK(rows[2]["simulated"]["speed_up"].get<double>() > 1.3);
  const std::string csv = folder.content("g.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 4 + 2);
}

TEST_CASE("heddle gemm simulates no tiles that are too large, and says so") {
  const scratch_folder folder;
  const auto result =
      in_folder(folder.path(), {"gemm", "--meshes", "4,8", "--tile", "64", "--json", "g.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK_THAT(result.output,
             Catch::Contains("tiles of 64 x 64 need 172 KiB of an L1 of 128 KiB: not "
                             "simulated\n"));
  CHECK_THAT(result.output, Catch::Contains("fused_concat_linear, 64 x 64 tiles"));
  CHECK_THAT(result.output, !Catch::Contains("differ because"));
  const auto rows = nlohmann::json::parse(folder.content("g.json"))["rows"];
  REQUIRE(rows.size() == 4);
  for (const auto& row : rows) {
    CHECK_FALSE(row.contains("simulated"));
    CHECK(row["analytic"]["speed_up"].get<double>() > 0);
    CHECK_THAT(row["not_simulated"].get<std::string>(), Catch::Contains("of an L1 of 128 KiB"));
  }
}

// 54 x 54 doubles are the largest of which five tiles fit: the run itself says the same.
TEST_CASE("heddle gemm simulates the largest tiles that a run takes") {
  const scratch_folder folder;
  const std::string tile = GENERATE("54", "55");
  const heddle_run alone =
      run_gemm("summa", mesh("2", "2", {{"workload.tile", tile}, {"workload.iterations", "16"}}));
  const auto result = in_folder(folder.path(), {"gemm", "--kernel", "summa", "--meshes", "2",
                                                "--tile", tile, "--json", "g.json"});
  INFO(alone.report() + result.errors);
  REQUIRE(result.exited_with(0));
  const auto rows = nlohmann::json::parse(folder.content("g.json"))["rows"];
  CHECK(rows[0].contains("simulated") == alone.result().exited_with(0));
}

TEST_CASE("heddle gemm refuses what is no mesh") {
  const scratch_folder folder;
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "gemm");
    const auto result = in_folder(folder.path(), std::move(words));
    CHECK(result.exited_with(2));
    return result.errors;
  };
  CHECK_THAT(refused({"--meshes", "6"}), Catch::Contains("--meshes 6: expected powers of two"));
  CHECK_THAT(refused({"--kernel", "sumna"}), Catch::Contains("did you mean 'summa'"));
  CHECK_THAT(refused({"--tile", "0"}), Catch::Contains("--tile 0: expected 1 to 4096"));
  CHECK_THAT(refused({"--simulate", "1000"}), Catch::Contains("--simulate 1000: expected 0 to 16"));
}

TEST_CASE("heddle gemm says before it simulates that it cannot write") {
  const scratch_folder folder;
  const auto result =
      in_folder(folder.path(), {"gemm", "--meshes", "4", "--csv", "no/such/folder/g.csv"});
  CHECK(result.exited_with(2));
  CHECK_THAT(result.errors, Catch::Contains("no/such/folder/g.csv"));
  CHECK(result.output.empty());
}

TEST_CASE("claims are answered by formulas, and say so") {
  const scratch_folder folder;
  const auto result =
      in_folder(folder.path(), {"reproduce", "noc.summa.util", "--json", "rows.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  const auto rows = nlohmann::json::parse(folder.content("rows.json"));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["id"] == "noc.summa.util");
  CHECK(rows[0]["case"] == "256 x 256, analytic");
  CHECK(rows[0]["verdict"] == "analytic");
}

TEST_CASE(
    "the CSV and the JSON of heddle gemm hold the same rows, and energies follow from counts") {
  const scratch_folder folder;
  const auto result =
      in_folder(folder.path(), {"gemm", "--kernel", "summa", "--meshes", "4,64", "--simulate", "4",
                                "--csv", "g.csv", "--json", "g.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  std::string expected =
      "kernel,mesh,how,compute_cycles,software_cycles,hardware_cycles,speed_up,energy_saving\n";
  const double compute = 2 * 4096 / (16 * 0.981);
  const auto add = [&](int mesh, const char* how, const nlohmann::json& of) {
    const double software = of["software"]["cycles"], hardware = of["hardware"]["cycles"];
    const double saving =
        of["software"]["energy_J"].get<double>() / of["hardware"]["energy_J"].get<double>();
    CHECK(of["speed_up"] == Approx(software / hardware));
    CHECK(of["energy_saving"] == Approx(saving));
    std::ostringstream line;
    line << "summa," << mesh << ',' << how;
    for (const double each : {compute, software, hardware, software / hardware, saving})
      line << ',' << std::setprecision(6) << each;
    expected += line.str() + "\n";
  };
  const auto rows = nlohmann::json::parse(folder.content("g.json"))["rows"];
  REQUIRE(rows.size() == 2);
  for (const auto& row : rows) {
    INFO(row.dump());
    for (const char* version : {"software", "hardware"}) {
      const auto& of = row["analytic"][version];
      double energy = 0;
      for (const auto& [primitive, cost] : costs)
        energy += 1e-12 * cost * of["counts"][primitive].get<double>();
      CHECK(of["energy_J"] == Approx(energy));
      CHECK(of["compute_cycles"] == Approx(compute));
      CHECK(of["cycles"] ==
            std::max(of["compute_cycles"].get<double>(), of["communication_cycles"].get<double>()));
      CHECK(of["utilization"] == Approx(2 * 4096 / (16 * of["cycles"].get<double>())));
    }
    add(row["mesh"], "analytic", row["analytic"]);
    CHECK(row.contains("simulated") == (row["mesh"] == 4));
    if (!row.contains("simulated")) continue;
    for (const char* version : {"software", "hardware"}) {
      const auto& of = row["simulated"][version];
      CHECK(of["utilization"] == Approx(2 * 4096 / (16 * of["cycles"].get<double>())));
    }
    add(row["mesh"], "simulated", row["simulated"]);
  }
  CHECK(folder.content("g.csv") == expected);
}
