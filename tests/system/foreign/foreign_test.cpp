// Components that know nothing but the base protocol, in the systems that ship: every memory of
// theirs is replaced, and an initiator is bound beside the first core. Data must be exact, and
// monitors watch every binding.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <filesystem>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

namespace files = std::filesystem;

struct shipped_system {
  std::string netlist;
  std::string bus;        // where the foreign initiator is bound
  std::string near, far;  // what it writes to
  settings values;
};

const settings small = {{"params.gpus", "2"}, {"params.planes", "1"}, {"train", "4"}};

settings with(settings all, const settings& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const std::vector<shipped_system> systems = {
    {"ring_allreduce", "gpu[0].bus.in", "0x1fffff0000", "0x2fffff0000",
     with(small, {{"workload.bytes", "[1000 B, 24 KiB]"}})},
    {"scin_dgx8", "gpu[0].bus.in", "0x1fffff0000", "0x2fffff0000",
     with(small, {{"workload.bytes", "[1000 B, 24 KiB]"}})},
    {"nvls_dgx8", "gpu[0].bus.in", "0x1fffff0000", "0x2fffff0000",
     with(small, {{"workload.bytes", "[1000 B, 24 KiB]"}})},
    {"mesh_tiles",
     "tile[0].bus.in",
     "0x1001f000",
     "0x400f0000",
     {{"params.width", "2"},
      {"params.height", "2"},
      {"workload.algorithm", "[mesh_hw, mesh_seq]"},
      {"workload.bytes", "[72 B, 4 KiB]"}}},
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// A copy of the project's netlists, with other memories.
void copy_netlists(const scratch_folder& to, const std::string& memory) {
  const files::path from = project_file("yaml");
  for (const auto& each : files::recursive_directory_iterator(from)) {
    const files::path copy = files::path(to.path()) / files::relative(each.path(), from);
    if (each.is_directory()) {
      files::create_directories(copy);
      continue;
    }
    std::ifstream file(each.path());
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::ofstream(copy) << replaced(text, "type: memory", "type: " + memory);
  }
}

void add_initiator(const scratch_folder& folder, const shipped_system& to) {
  std::string text = folder.content(to.netlist + ".yaml");
  const std::string unit = fmt::format(
      "units:\n  stranger: {{type: foreign_initiator, near: {}, far: {}}}\n", to.near, to.far);
  text = replaced(text, "units:\n", unit);
  const std::string bind = "  - {from: stranger.bus, to: \"" + to.bus + "\"}\n";
  text = text.find("\nbinds:\n") != std::string::npos
             ? replaced(text, "\nbinds:\n", "\nbinds:\n" + bind)
             : replaced(text, "\nworkload:\n", "\nbinds:\n" + bind + "workload:\n");
  folder.write(to.netlist + ".yaml", text);
}

void check_run(const scratch_folder& folder, const std::string& netlist, const settings& values) {
  command line = run_command(folder.file(netlist + ".yaml"), folder.file("out"),
                             with(values, {{"monitors", "on"}}));
  line.words[0] = HEDDLE_WITH_FOREIGN;
  line.seconds = 60;
  const command_result result = run(line);
  INFO(line.text() << "\n" << result.output << result.errors);
  CHECK(result.exited_with(0));
  if (!result.exited_with(0)) return;
  const auto stats = nlohmann::json::parse(folder.content("out/stats.json"));
  for (const auto& job : stats["collectives"]) CHECK(job["verified"] == true);
}

void check_all(const std::string& memory) {
  const scratch_folder folder;
  copy_netlists(folder, memory);
  for (const shipped_system& each : systems) {
    add_initiator(folder, each);
    check_run(folder, each.netlist, each.values);
  }
}

}  // namespace

TEST_CASE("foreign memories that annotate their latency") {
  check_all("foreign_annotated");
  check_all("foreign_annotated_direct");
}

TEST_CASE("foreign memories that wait") {
  check_all("foreign_waiting");
  check_all("foreign_waiting_direct");
}

TEST_CASE("foreign memories that answer in four phases") {
  check_all("foreign_phased");
  check_all("foreign_phased_direct");
}

// Each rank moves the chunk that it has received: 32 bursts of 4 KiB, twice as many as its engine
// reads ahead.
TEST_CASE("local copies of many bursts in foreign memories that answer in four phases") {
  const scratch_folder folder;
  copy_netlists(folder, "foreign_phased");
  check_run(folder, "ring_allreduce",
            with(small, {{"workload.collective", "alltoall"},
                         {"workload.algorithm", "pairwise"},
                         {"workload.bytes", "[256 KiB]"}}));
}

TEST_CASE("foreign memories that hold payloads after their end") {
  check_all("foreign_acquiring");
  check_all("foreign_acquiring_direct");
}

TEST_CASE("a foreign initiator beside memories of the tree") {
  check_all("memory");
}

TEST_CASE("gather units and what is between them and memory keep to the base protocol") {
  const scratch_folder folder;
  command line =
      run_command(project_file("yaml/gather.yaml"), folder.file("out"), {{"monitors", "on"}});
  line.words[0] = HEDDLE_WITH_FOREIGN;
  const command_result result = run(line);
  INFO(line.text() << "\n" << result.output << result.errors);
  CHECK(result.exited_with(0));
}

TEST_CASE("units that compute ahead of simulated time say that they cannot wait for a memory") {
  const scratch_folder folder;
  copy_netlists(folder, "foreign_phased");
  command line = run_command(folder.file("gather.yaml"), folder.file("out"), {});
  line.words[0] = HEDDLE_WITH_FOREIGN;
  const command_result result = run(line);
  INFO(result.errors);
  CHECK(result.exited_with(1));
  CHECK_THAT(result.errors, Catch::Contains("nic.memory is bound to a memory that does not answer "
                                            "in the call"));
}
