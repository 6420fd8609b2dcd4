// Logs of accesses, their replay and comparison; coverage of registers.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const settings small = {{"params.gpus", "2"}, {"workload.bytes", "4 KiB"}};

command_result run_words(std::vector<std::string> words) {
  words.insert(words.begin(), heddle_program());
  command line;
  line.words = std::move(words);
  return run(line);
}

std::string netlist() {
  return project_file("yaml/ring_allreduce.yaml");
}

command_result replay(const std::string& unit, const std::string& log,
                      const std::string& of = netlist(), const settings& values = small) {
  std::vector<std::string> words = {"mmio", "replay", of, unit, log};
  for (const auto& [path, value] : values) {
    words.emplace_back("--set");
    words.push_back(path + "=" + value);
  }
  return run_words(words);
}

void write(const scratch_folder& folder, const std::string& name, const std::string& of = netlist(),
           const settings& values = small) {
  command line = run_command(of, folder.file("out"), values);
  line.words.insert(line.words.end(), {"--mmio-log", folder.file(name)});
  REQUIRE(run(line).exited_with(0));
}

}  // namespace

TEST_CASE("a log is CSV or JSON, and one that is cut off is called so") {
  const scratch_folder folder;
  command line = run_command(netlist(), folder.file("out"), small);
  line.words.insert(line.words.end(), {"--mmio-log", folder.file("m.txt")});
  const command_result refused = run(line);
  CHECK(refused.exited_with(2));
  CHECK(refused.errors.find("m.txt: expected a name that ends in .csv or .json") !=
        std::string::npos);
  write(folder, "whole.csv");
  const std::string whole = folder.content("whole.csv");
  const std::size_t second_line = whole.find('\n') + 1;
  std::ofstream(folder.file("cut.csv")) << whole.substr(0, whole.find(',', second_line));
  const command_result cut =
      run_words({"mmio", "diff", folder.file("cut.csv"), folder.file("whole.csv")});
  CHECK(cut.exited_with(2));
  CHECK(cut.errors.find("cut.csv:2:1: the log is cut off here: 1 cells instead of 14") !=
        std::string::npos);
}

TEST_CASE("a log names every access of every core") {
  const scratch_folder folder;
  write(folder, "log.json");
  const auto log = nlohmann::json::parse(folder.content("log.json"));
  REQUIRE(log.size() > 100);
  std::size_t doorbells = 0;
  for (const auto& each : log) {
    CHECK(each["response"] == "TLM_OK_RESPONSE");
    if (each["register"] != "channel[0].doorbell" || each["core"] != "gpu[0].cp") continue;
    ++doorbells;
    CHECK(each["unit"] == "gpu[0].dma");
    CHECK(each["file"] == "sw/drivers/dma.c");
    CHECK(each["function"] == "dma_ring_doorbell");
    CHECK(each["command"] == "write");
  }
  CHECK(doorbells > 0);
}

TEST_CASE("two runs leave the same log, and a difference is found") {
  const scratch_folder folder;
  write(folder, "a.csv");
  write(folder, "b.csv");
  CHECK(folder.content("a.csv") == folder.content("b.csv"));
  CHECK(run_words({"mmio", "diff", folder.file("a.csv"), folder.file("b.csv")}).exited_with(0));

  std::string text = folder.content("b.csv");
  const std::size_t at = text.find("channel[0].doorbell,0x10c,0x2");
  REQUIRE(at != std::string::npos);
  text.replace(at, 29, "channel[0].doorbell,0x10c,0x3");
  folder.write("b.csv", text);
  const command_result seen =
      run_words({"mmio", "diff", folder.file("a.csv"), folder.file("b.csv")});
  INFO(seen.output);
  CHECK(seen.exited_with(1));
  CHECK(seen.output.find("gpu[0].dma channel[0].doorbell = 0x2 TLM_OK_RESPONSE") !=
        std::string::npos);
  CHECK(seen.output.find("gpu[0].dma channel[0].doorbell = 0x3 TLM_OK_RESPONSE") !=
        std::string::npos);
}

TEST_CASE("a unit answers the replay of a log as it did in the run") {
  const scratch_folder folder;
  write(folder, "log.csv");
  const command_result seen = replay("gpu[0].vector", folder.file("log.csv"));
  INFO(seen.output << seen.errors);
  CHECK(seen.exited_with(0));
  CHECK(seen.output.find("accesses of gpu[0].vector replayed, 0 differ") != std::string::npos);

  // A unit that answered otherwise is found.
  std::string text = folder.content("log.csv");
  const std::string read = "gpu[0].vector,completed,0x24,0x1";
  const std::size_t at = text.find(read);
  REQUIRE(at != std::string::npos);
  text.replace(at + read.size() - 1, 1, "5");
  folder.write("log.csv", text);
  CHECK(replay("gpu[0].vector", folder.file("log.csv")).exited_with(1));
}

TEST_CASE("logs that are wrong are named with their place") {
  const scratch_folder folder;
  const auto refused = [&](const std::string& name, const std::string& text,
                           const std::string& says) {
    folder.write(name, text);
    const command_result seen = run_words({"mmio", "diff", folder.file(name), folder.file(name)});
    INFO(seen.output << seen.errors);
    CHECK(seen.exited_with(2));
    CHECK(seen.errors.find(folder.file(name) + says) == 0);
  };
  refused("empty.csv", "", ":1:1: not an MMIO log: the file is empty");
  refused("empty.json", "", ":1:1: not an MMIO log: ");
  refused("object.json", "{}", ":1:1: not an MMIO log: no array of accesses");
  refused("cut.json", "[\n{\"time_fs\": 1,\n", ":3:1: not an MMIO log: ");
  write(folder, "log.csv");
  write(folder, "log.json");
  std::string text = folder.content("log.csv");
  text.replace(text.find("0x10000"), 7, "-1");
  folder.write("sign.csv", text);
  refused("sign.csv", text, ":2:1: address: expected an integer, got \"-1");
  text = folder.content("log.json");
  const std::size_t third = text.find("\n{", text.find("\n{", text.find("\n{") + 1) + 1);
  text.replace(text.find("\"bytes\"", third), 7, "\"bites\"");
  refused("key.json", text, ":4:1: not an MMIO log: access 3: ");
}

TEST_CASE("a log without the unit is not one to replay") {
  const scratch_folder folder;
  write(folder, "log.csv");
  std::string text = folder.content("log.csv");
  text.resize(text.find('\n') + 1);
  folder.write("none.csv", text);
  const command_result seen = replay("gpu[0].dma", folder.file("none.csv"));
  INFO(seen.output << seen.errors);
  CHECK(seen.exited_with(2));
  CHECK(seen.errors.find(folder.file("none.csv") + ": no access to 'gpu[0].dma'") == 0);
}

TEST_CASE("a DMA engine finds its descriptors in the log and copies again") {
#ifdef HEDDLE_HAS_RV64
  const std::string core = GENERATE("core", "rv64_core");
#else
  const std::string core = "core";
#endif
  const std::string train = GENERATE("1", "32");
  const scratch_folder folder;
  settings values = small;
  values.insert(values.end(), {{"params.core", core}, {"train", train}});
  write(folder, "log.csv", netlist(), values);
  const command_result seen = replay("gpu[1].dma", folder.file("log.csv"), netlist(), values);
  INFO(core << ", train " << train << "\n" << seen.output << seen.errors);
  CHECK(seen.exited_with(0));
  CHECK(seen.output.find("accesses of gpu[1].dma replayed, 0 differ") != std::string::npos);

  // Without the stores that wrote the descriptors, nothing completes as it did. The compiler of the
  // RV64 core makes dma_write a part of its caller.
  const std::string writer = core == "core" ? ",dma_write," : ",post,";
  std::istringstream lines(folder.content("log.csv"));
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find(writer) == std::string::npos || line.find("gpu[1].dma") != line.npos)
      kept += line + "\n";
  REQUIRE(kept.size() < folder.content("log.csv").size());
  folder.write("without.csv", kept);
  const command_result without =
      replay("gpu[1].dma", folder.file("without.csv"), netlist(), values);
  INFO(without.output << without.errors);
  CHECK(without.exited_with(1));
}

TEST_CASE("an in-switch accelerator answers its host again as it did") {
  const std::string of = project_file("yaml/scin_dgx8.yaml");
  const settings values = {{"params.gpus", "2"},
                           {"params.planes", "1"},
                           {"workload.algorithm", "scin"},
                           {"workload.bytes", "4 KiB"}};
  const scratch_folder folder;
  write(folder, "log.csv", of, values);
  const command_result seen = replay("nvs[0].isa", folder.file("log.csv"), of, values);
  INFO(seen.output << seen.errors);
  CHECK(seen.exited_with(0));
  CHECK(seen.output.find("accesses of nvs[0].isa replayed, 0 differ") != std::string::npos);

  std::string text = folder.content("log.csv");
  const std::string read = "nvs[0].isa,member[1].base,0x208,0x2000000000";
  const std::size_t at = text.find(read);
  REQUIRE(at != std::string::npos);
  text.replace(at + read.size() - 1, 1, "8");
  folder.write("log.csv", text);
  const command_result other = replay("nvs[0].isa", folder.file("log.csv"), of, values);
  INFO(other.output);
  CHECK(other.exited_with(1));
  CHECK(other.output.find("1 differ") != std::string::npos);
}

TEST_CASE("a log that is none is refused with its line") {
  const scratch_folder folder;
  folder.write("log.csv", "a,b,c\n");
  const command_result seen = replay("gpu[0].vector", folder.file("log.csv"));
  CHECK(seen.exited_with(2));
  CHECK(seen.errors.find("log.csv:1:1: not an MMIO log") != std::string::npos);
  CHECK(replay("gpu[0].vectr", folder.file("log.csv")).errors.find("did you mean") !=
        std::string::npos);
}

TEST_CASE("coverage says which registers and states a run has touched") {
  const scratch_folder folder;
  command line = run_command(netlist(), folder.file("out"), small);
  line.words.insert(line.words.end(), {"--coverage", folder.file("coverage.json")});
  REQUIRE(run(line).exited_with(0));
  const auto found = nlohmann::json::parse(folder.content("coverage.json"));
  const auto& dma = found["units"]["gpu[0].dma"]["registers"];
  CHECK(dma["channel[0].doorbell"]["writes"].get<int>() > 0);
  CHECK(dma["channel[15].doorbell"]["writes"] == 0);
  const auto& state = dma["channel[0].status"]["fields"]["state"];
  CHECK(state["missed"] == nlohmann::json::array({"ERROR", "WAIT", "RESET"}));
  const auto& start = found["units"]["gpu[0].vector"]["registers"]["start"];
  CHECK(start["reads"] == 0);
  CHECK(start["writes"].get<int>() > 0);
  CHECK(found["summary"]["states"]["covered"].get<int>() > 0);
}
