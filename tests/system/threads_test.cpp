// Results do not depend on how many threads share the work.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "tests/support/heddle_run.hpp"
#include "tests/support/random_numbers.hpp"

using namespace heddle;

namespace {

// Files by name, and how the run ended.
std::map<std::string, std::string> results_of(const heddle_run& run) {
  std::map<std::string, std::string> files;
  for (const auto& each : std::filesystem::directory_iterator(run.folder().file("out"))) {
    const std::string name = each.path().filename().string();
    files[name] = run.folder().content("out/" + name);
  }
  files["exit code"] = std::to_string(run.result().exit_code);
  files["errors"] = run.result().errors;
  return files;
}

heddle_run run_by(int threads, const std::string& netlist, const settings& values,
                  const std::string& until = "1 ms") {
  return {netlist, values, {"--threads", std::to_string(threads), "--until", until}};
}

const std::vector<dimension>& mesh_dimensions() {
  static const std::vector<dimension> all = {
      {"width", 4, {4, 5, 8, 16}},    {"height", 8, {8, 11}}, {"permille", 10, {1, 30, 250, 900}},
      {"packet_flits", 1, {1, 2, 9}}, {"vcs", 1, {1, 2, 4}},  {"buffer", 8, {1, 3, 8}},
      {"channel", 0, {0, 1, 9}},      {"seed", 1, {1, 2, 3}}, {"threads", 2, {2, 3, 7}}};
  return all;
}

settings mesh_settings(const random_numbers& drawn) {
  settings values = {{"params.rate", std::to_string(static_cast<double>(drawn["permille"]) / 1000)},
                     {"node[*].warmup", "300 ns"},
                     {"node[*].measure", "1 us"},
                     {"node[*].cooldown", "100 ns"},
                     {"seed", std::to_string(drawn["seed"])}};
  for (const char* name : {"width", "height", "packet_flits", "vcs", "buffer", "channel"})
    values.emplace_back(std::string("params.") + name, std::to_string(drawn[name]));
  return values;
}

// Beyond saturation the network does not drain soon: such a run is cut short.
bool depends_on_threads(const random_numbers& drawn) {
  const std::string netlist = project_file("yaml/mesh_traffic.yaml");
  const auto by = [&](int threads) {
    return results_of(run_by(threads, netlist, mesh_settings(drawn), "3 us"));
  };
  return by(1) != by(static_cast<int>(drawn["threads"]));
}

std::string text_of(const random_numbers& drawn) {
  std::string text;
  for (const dimension& each : mesh_dimensions())
    text += each.name + " " + std::to_string(drawn[each.name]) + "  ";
  return text;
}

}  // namespace

TEST_CASE("any number of threads gives identical files") {
  for (const char* netlist : {"mesh_traffic", "torus_traffic", "butterfly_traffic", "star8"}) {
    const std::string file = project_file(std::string("yaml/") + netlist + ".yaml");
    const heddle_run alone = run_by(1, file, {});
    REQUIRE(alone.result().exited_with(0));
    for (const int threads : {2, 5}) {
      INFO(netlist << " by " << threads << " threads");
      CHECK((results_of(run_by(threads, file, {})) == results_of(alone)));
    }
  }
}

TEST_CASE("random meshes give the same by any number of threads") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const random_numbers drawn(mesh_dimensions(), seed);
    if (!depends_on_threads(drawn)) continue;
    FAIL("results depend on threads: " << text_of(shrink(drawn, depends_on_threads)));
  }
}

TEST_CASE("systems that one thread has to run take more of them and give the same") {
  const std::string file = project_file("yaml/mesh_tiles.yaml");
  const heddle_run alone(file, {}), together(file, {}, {"--threads", "4"});
  REQUIRE(alone.is_verified());
  CHECK((results_of(together) == results_of(alone)));
}

TEST_CASE("signals are recorded by one thread, and whoever asked for more is told") {
  const std::string file = project_file("yaml/mesh_traffic.yaml");
  const scratch_folder waves;
  const auto by = [&](const std::string& threads) {
    return heddle_run(file, {{"node[*].measure", "1 us"}},
                      {"--wave", waves.file(threads + ".vcd"), "--threads", threads});
  };
  CHECK(by("1").result().errors.empty());
  CHECK(by("2").result().errors ==
        "warning: one thread instead of 2, because signals are recorded\n");
  REQUIRE_FALSE(waves.content("1.vcd").empty());
  CHECK((waves.content("2.vcd") == waves.content("1.vcd")));
}

TEST_CASE("a number of threads is between 1 and 256") {
  for (const char* threads : {"0", "257", "-1", "two"}) {
    const heddle_run refused(project_file("yaml/mesh_traffic.yaml"), {}, {"--threads", threads});
    INFO(refused.report());
    CHECK(refused.result().exited_with(2));
    CHECK(refused.result().errors.find("--threads") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(refused.folder().file("out")));
  }
}
