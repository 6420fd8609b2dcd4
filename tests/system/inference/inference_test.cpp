// Tensor-parallel inference: times of steps against laws, repeated layers, files that a run leaves.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <regex>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/inference.yaml");
const std::string small_model =
    "{name: small, hidden: 1024, intermediate: 2048, layers: 12, heads: 8, vocabulary: 4096}";

nlohmann::json steps_of(const settings& values) {
  const heddle_run done(netlist, values);
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  return done.stats()["inference"];
}

// What a step gains where all-reduces, a share of its time by a ring, are faster by a factor.
double amdahl(double share, double factor) {
  return 1 / (1 - share + share / factor);
}

// In a step of the 7B model.
std::uint64_t times_of(const nlohmann::json& kernel) {
  const std::string name = kernel["operator"];
  return name == "embedding" || name == "final_norm" || name == "lm_head" ? 1 : 32;
}

double allreduce_time(const std::string& algorithm, std::uint64_t bytes) {
  const heddle_run done(project_file("yaml/scin_dgx8.yaml"),
                        {{"workload.algorithm", algorithm},
                         {"workload.bytes", std::to_string(bytes) + " B"},
                         {"data", "off"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  return done.stats()["collectives"][0]["time_s"];
}

}  // namespace

TEST_CASE("two inferences are compared by the time of all layers") {
  const scratch_folder folder;
  command line;
  line.words = {heddle_program(),
                "compare",
                netlist,
                "--set",
                "workload.decode=0",
                "--with",
                "workload.layers=all",
                "--json",
                folder.file("rows.json")};
  REQUIRE(run(line).exited_with(0));
  for (const auto& row : nlohmann::json::parse(folder.content("rows.json")))
    CHECK(row["time_s"] == row["other_time_s"]);
}

TEST_CASE("layers that repeat are counted: the same times as with all of them simulated") {
  const std::string algorithm = GENERATE("nvls", "scin", "scin_inq");
  const settings common = {{"workload.algorithm", algorithm},
                           {"workload.model", small_model},
                           {"workload.prefill", "128"},
                           {"workload.batch", "2"}};
  settings all = common;
  all.emplace_back("workload.layers", "all");
  const auto counted = steps_of(common), simulated = steps_of(all);
  REQUIRE(counted.size() == 2);
  for (std::size_t step = 0; step < 2; ++step) {
    INFO(algorithm << " " << step);
    // Ranks that wait for each other in turns, as NVLS has them at some sizes, need not repeat.
    if (algorithm != "nvls") CHECK(counted[step]["simulated_layers"] < 12);
    CHECK(simulated[step]["simulated_layers"] == 12);
    CHECK(counted[step]["step_s"].get<double>() ==
          Approx(simulated[step]["step_s"].get<double>()).epsilon(1e-12));
    CHECK(counted[step]["step_wire_bytes"] == simulated[step]["step_wire_bytes"]);
  }
}

TEST_CASE("layers with a ring of DMA engines are counted to the femtosecond") {
  const settings common = {{"workload.algorithm", "ring"}};
  settings all = common;
  all.emplace_back("workload.layers", "all");
  const auto counted = steps_of(common), simulated = steps_of(all);
  for (std::size_t step = 0; step < 2; ++step) {
    CHECK(counted[step]["simulated_layers"] < 8);
    CHECK(counted[step]["step_s"].get<double>() ==
          Approx(simulated[step]["step_s"].get<double>()).epsilon(1e-12));
  }
}

// The DMA engine reads descriptors in bursts, which end where the ring of descriptors does. A layer
// in which that cuts a burst takes some 0.1 us more, and which layers do was not seen before.
TEST_CASE("layers differ where the ring of descriptors begins anew within them") {
  const settings common = {{"workload.algorithm", "ring"}, {"workload.ring_entries", "256"}};
  settings all = common;
  all.emplace_back("workload.layers", "all");
  const double counted = steps_of(common)[0]["step_s"], simulated = steps_of(all)[0]["step_s"];
  CHECK(simulated > counted);
  CHECK(simulated == Approx(counted).epsilon(1e-4));
}

TEST_CASE("kernels take what the roofline says of them, all-reduces what they take alone") {
  const std::string algorithm = GENERATE("ring", "nvls", "scin");
  const auto steps = steps_of({{"workload.algorithm", algorithm}});
  for (const auto& step : steps) {
    double kernels = 0;
    for (const auto& each : step["kernels"]) {
      const std::string name = each["operator"];
      const bool is_of_layer = name != "embedding" && name != "final_norm" && name != "lm_head";
      kernels += (is_of_layer ? 32 : 1) * each["time_s"].get<double>();
      CHECK(each["source"] == "roofline");
    }
    constexpr double list_read = 150e-9;  // of each of 2 x 32 + 2 lists
    CHECK(step["kernels_s"] >= kernels);
    CHECK(step["kernels_s"] <= kernels + 66 * list_read);
    const std::uint64_t bytes = 2ULL * step["tokens"].get<std::uint64_t>() * 4096;
    // Interrupt, start of the next list and the like come on top: by NVLS 0.42 us for 8 KiB and
    // 0.65 us for 4 MiB.
    const double alone = allreduce_time(algorithm, bytes);
    const double here = step["one_allreduce_s"];
    INFO(algorithm << " " << bytes << " B: " << here << " s, alone " << alone << " s");
    CHECK(here > alone - 0.1e-6);
    CHECK(here < alone + 0.7e-6);
  }
}

TEST_CASE("Amdahl's law from the share and the factor of all-reduces, of the run and alone") {
  const std::string algorithm = GENERATE("nvls", "scin");
  const auto steps = steps_of({{"workload.algorithm", "[ring, " + algorithm + "]"}});
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const auto& each = steps[step];
    INFO(each.dump());
    const double time = each["step_s"], kernels = each["kernels_s"], reducing = time - kernels;
    CHECK(each["head_size"] == 4096 / 32);
    CHECK(each["kv_heads_of_rank"] == 32 / 8);
    CHECK(each["allreduce_bytes"] == 2 * 4096 * each["tokens"].get<int>());
    CHECK(each["allreduce_s"] == Approx(reducing));
    CHECK(each["one_allreduce_s"] == Approx(reducing / (2 * 32)));  // two in a layer
    CHECK(each["allreduce_share"] == Approx(reducing / time));
    CHECK(each["gain"] == Approx(steps[step % 2]["step_s"].get<double>() / time));
  }
  for (std::size_t step = 0; step < 2; ++step) {
    const auto &by_ring = steps[step], &own = steps[step + 2];
    const double got = own["gain"];
    INFO(algorithm << " step " << step << ": " << got << " x");
    const double share = by_ring["allreduce_share"];
    const double of_run = by_ring["allreduce_s"].get<double>() / own["allreduce_s"].get<double>();
    CHECK(got == Approx(amdahl(share, of_run)).epsilon(0.01));

    const std::uint64_t bytes = 2ULL * by_ring["tokens"].get<std::uint64_t>() * 4096;
    const double before = allreduce_time("ring", bytes), after = allreduce_time(algorithm, bytes);
    const double share_alone = 2 * 32 * before / by_ring["step_s"].get<double>();
    // A decoding step by NVLS is the exception: after kernels of 8 us the ranks come to its barrier
    // in turns, and that adds 0.3 us to the 4.1 that it takes alone.
    const bool is_nvls_decode = algorithm == "nvls" && step == 1;
    CHECK(got == Approx(amdahl(share_alone, before / after)).epsilon(is_nvls_decode ? 0.03 : 0.01));
  }
}

TEST_CASE("decoding does not get faster as the context grows") {
  const std::string prompt = GENERATE("253", "510");
  const auto steps = steps_of({{"workload.algorithm", "scin"},
                               {"workload.steps", "decode"},
                               {"workload.prefill", prompt},
                               {"workload.decode", "5"}});
  REQUIRE(steps.size() == 5);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    INFO("context " << steps[i]["context"]);
    CHECK(steps[i]["kernels_s"] >= steps[i - 1]["kernels_s"]);
    CHECK(steps[i]["step_s"] >= steps[i - 1]["step_s"]);
  }
}

TEST_CASE("measured times replace the roofline, and results say so") {
  const scratch_folder folder;
  std::ofstream(folder.file("times.csv")) << "operator,m,n,k,dtype,us\nqkv,512,1536,4096,fp16,100\n"
                                             "qkv,1,1536,4096,fp16,50\n";
  const settings common = {{"workload.algorithm", "scin"}};
  settings measured = common;
  measured.emplace_back("workload.kernels", folder.file("times.csv"));
  const auto before = steps_of(common), after = steps_of(measured);
  const double us[] = {100, 50};
  for (std::size_t step = 0; step < 2; ++step) {
    CHECK(before[step]["kernel_times"] == "roofline");
    CHECK(after[step]["kernel_times"] == "measured and roofline");
    CHECK(after[step]["measured_kernels"] == 1);
    double roofline = 0;
    for (const auto& each : before[step]["kernels"])
      if (each["operator"] == "qkv") roofline = each["time_s"];
    const double more = 32 * (1e-6 * us[step] - roofline);
    CHECK(after[step]["kernels_s"].get<double>() - before[step]["kernels_s"].get<double>() ==
          Approx(more).margin(0.1e-6));
  }
}

TEST_CASE("a run draws a layer of each step, and says what each algorithm gains") {
  const heddle_run done(netlist,
                        {{"workload.algorithm", "[ring, scin_inq]"}, {"workload.decode", "2"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  for (const char* name : {"ring_prefill", "ring_decode", "scin_inq_prefill", "scin_inq_decode"}) {
    std::ifstream file(done.folder().file("out/inference_" + std::string(name) + ".svg"));
    const std::string drawing((std::istreambuf_iterator<char>(file)), {});
    CHECK_THAT(drawing, Catch::StartsWith("<svg") && Catch::Contains("rank 7") &&
                            Catch::Contains("all-reduce: ") && Catch::Contains("gate_up: "));
    const bool is_prefill = std::string(name).find("prefill") != std::string::npos;
    CHECK_THAT(drawing, Catch::Contains(is_prefill ? ", prefill 512, " : ", decode 514, "));
  }
  CHECK_THAT(done.folder().content("out/summary.txt"),
             Catch::Contains("; numerics: none, so nothing to check\n") &&
                 Catch::Contains("prefill 512  scin_inq     446.3 us       2.798 ms") &&
                 Catch::Contains("\n  scin_inq           2.798 ms"));
  const auto steps = done.stats()["inference"];
  REQUIRE(steps.size() == 6);
  CHECK(steps[3]["allreduce"] == "scin_inq");
  CHECK(steps[4]["allreduce"] == "scin");  // decoding steps are not quantized
  CHECK(steps[5]["context"] == 514);
  CHECK(steps[3]["gain"] > 1.2);
}

TEST_CASE("every kernel of a drawing has a color of its own") {
  const heddle_run done(project_file("yaml/inference_tiny.yaml"), {{"workload.algorithm", "ring"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const std::string drawing = done.folder().content("out/inference_ring_prefill.svg");
  // Entries of the legend are named without a time.
  const std::regex entry("fill=\"#([0-9a-f]{6})\"><title>([a-z_-]+)</title>");
  std::map<std::string, unsigned long> colors;
  for (auto each = std::sregex_iterator(drawing.begin(), drawing.end(), entry);
       each != std::sregex_iterator(); ++each)
    colors[(*each)[2]] = std::stoul((*each)[1], nullptr, 16);
  CHECK(colors.size() == 10);  // all-reduces, too
  const auto part = [](unsigned long color, int shift) {
    return static_cast<double>(color >> shift & 0xff);
  };
  for (const auto& [name, color] : colors)
    for (const auto& [other, against] : colors) {
      if (name == other) continue;
      INFO(name << " and " << other);
      double square = 0;
      for (const int shift : {0, 8, 16})
        square += std::pow(part(color, shift) - part(against, shift), 2);
      CHECK(std::sqrt(square) > 60);
    }
}

TEST_CASE("steps say in their rows which they are: the size of a tensor would be 0 B") {
  const heddle_run done(project_file("yaml/inference_tiny.yaml"), {{"workload.algorithm", "ring"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  std::vector<std::string> sizes;
  const auto stats = done.stats();
  for (const auto& each : stats["inference"]) sizes.push_back(each["size"]);
  CHECK(sizes == std::vector<std::string>{"prefill 16", "decode 17", "decode 18"});
}

TEST_CASE("a drawing holds the name of any model") {
  const heddle_run done(project_file("yaml/inference_tiny.yaml"),
                        {{"workload.algorithm", "ring"},
                         {"workload.model",
                          "{name: a<b, hidden: 128, intermediate: 256, layers: 2, heads: 8, "
                          "vocabulary: 512}"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  std::ifstream file(done.folder().file("out/inference_ring_prefill.svg"));
  const std::string drawing((std::istreambuf_iterator<char>(file)), {});
  CHECK_THAT(drawing, Catch::Contains("a&lt;b fp16"));
}

TEST_CASE("energy of kernels where a netlist says what operations and bytes take") {
  const auto steps = steps_of({{"workload.algorithm", "scin"},
                               {"gpu[*].kernels.flop_energy", "0.5"},
                               {"gpu[*].kernels.hbm_energy", "30"}});
  for (const auto& step : steps) {
    double joules = 0;
    for (const auto& each : step["kernels"])
      joules += 8.0 * static_cast<double>(times_of(each)) *
                (0.5e-12 * each["flops"].get<double>() + 30e-12 * each["bytes"].get<double>());
    CHECK(step["step_J"] == Approx(joules).epsilon(1e-9));
  }
}

TEST_CASE("columns of energies stand apart, be they as large as they may") {
  const heddle_run done(netlist, {{"workload.algorithm", "scin"},
                                  {"workload.steps", "decode"},
                                  {"gpu[*].kernels.flop_energy", "1000000"},
                                  {"gpu[*].kernels.hbm_energy", "30"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const std::regex flop(" flop +[0-9.]+ G +[0-9.]+ kJ\n"), hbm(" hbm +[0-9.]+ GiB +[0-9.]+ mJ\n");
  const std::string table = done.folder().content("out/summary.txt");
  CHECK(std::regex_search(table, flop));
  CHECK(std::regex_search(table, hbm));
}

TEST_CASE("engines count the operations of the kernels that they have run, and no padding") {
  const heddle_run done(
      netlist,
      {{"workload.algorithm", "scin"}, {"workload.steps", "decode"}, {"workload.layers", "all"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const nlohmann::json stats = done.stats();
  std::uint64_t flops = 0, bytes = 0;
  for (const auto& each : stats["inference"][0]["kernels"]) {
    flops += times_of(each) * each["flops"].get<std::uint64_t>();
    bytes += times_of(each) * each["bytes"].get<std::uint64_t>();
  }
  for (int gpu = 0; gpu < 8; ++gpu) {
    const auto& engine = stats["units"]["gpu[" + std::to_string(gpu) + "].kernels"];
    CHECK(engine["flops"]["value"] == flops);
    CHECK(engine["bytes"]["value"] == bytes);
  }
}

TEST_CASE("waves show the kernel that runs on each rank") {
  const scratch_folder folder;
  const std::string wave = folder.file("run.vcd");
  const heddle_run done(project_file("yaml/inference_tiny.yaml"), {{"workload.algorithm", "scin"}},
                        {"--wave", wave});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  std::ifstream file(wave);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  for (const char* each : {"$scope module kernels", "sgate_up ", "sattention ", "slm_head "})
    CHECK_THAT(text, Catch::Contains(each));
}

TEST_CASE("auto knows that instructions are pushed while kernels run") {
  const heddle_run done(project_file("yaml/inference_tiny.yaml"),
                        {{"workload.algorithm", "[auto, nvls]"}, {"workload.steps", "[prefill]"}});
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const nlohmann::json steps = done.stats()["inference"];
  CHECK(steps[0]["allreduce"] == "scin");
  CHECK(steps[0]["time_s"] < steps[1]["time_s"]);
}

// hardware_s is of the layers that were simulated.
TEST_CASE("kernels between two all-reduces are no time of in-switch accelerators") {
  for (const auto& step : steps_of({{"workload.algorithm", "scin"}})) {
    INFO(step["step"]);
    const double allreduces = 2 * step["simulated_layers"].get<double>();
    const double hardware = step["hardware_s"];
    CHECK(hardware > 0.5 * allreduces * step["one_allreduce_s"].get<double>());
    CHECK(hardware < allreduces * step["one_allreduce_s"].get<double>());
    CHECK(step["synchronization_s"] == Approx(step["time_s"].get<double>() - hardware));
  }
}
