// Runs that are ended before their end keep what they have; what cannot be written is said before.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iomanip>
#include <sstream>

#include "tests/support/heddle_run.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#ifdef HEDDLE_HAS_RV64
command endless(const scratch_folder& folder) {
  return run_command(project_file("yaml/rv64_bare.yaml"), folder.file("out"),
                     {{"core.elf", HEDDLE_BARE_DIR "/forever.elf"}});
}

void check_kept(const scratch_folder& folder, const command_result& seen, const std::string& end) {
  INFO(seen.output << seen.errors);
  CHECK(seen.exited_with(1));
  CHECK(contains(seen.errors, end));
  CHECK(contains(seen.errors, "core waits for nothing: it computes, pc 0x8000"));
  CHECK(contains(folder.content("out/stats.json"), "before its end"));
  CHECK(folder.content("log.json") == "[\n]\n");
}
#endif

command_result heddle_with(const std::vector<std::string>& words) {
  command line;
  line.words = {heddle_program()};
  line.words.insert(line.words.end(), words.begin(), words.end());
  line.seconds = 60;
  return run(line);
}

}  // namespace

#ifdef HEDDLE_HAS_RV64
TEST_CASE("a run ends at a simulated time, with its results") {
  const scratch_folder folder;
  command line = endless(folder);
  line.words.insert(line.words.end(), {"--until", "30 us", "--mmio-log", folder.file("log.json")});
  check_kept(folder, run(line), "failed: ended by --until after 30 us of simulated time");
}

TEST_CASE("an interrupted run leaves its results and says where it was") {
  const scratch_folder folder;
  command line = endless(folder);
  line.words.insert(line.words.end(), {"--mmio-log", folder.file("log.json")});
  std::string words;
  for (const std::string& each : line.words) words += " '" + each + "'";
  // It is in the simulation once the program has written its line.
  command shell;
  shell.words = {"sh", "-c",
                 words + " > '" + folder.file("said") + "' & run=$!; until [ -s '" +
                     folder.file("said") + "' ]; do :; done; kill -INT $run; wait $run"};
  check_kept(folder, run(shell), "failed: interrupted after ");
}

TEST_CASE("a run that is over before the given time is a run as any other") {
  const scratch_folder folder;
  command line = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                             {{"params.gpus", "2"}, {"workload.bytes", "1 KiB"}});
  line.words.insert(line.words.end(), {"--until", "1 s"});
  CHECK(run(line).exited_with(0));
  line.words.back() = "soon";
  const command_result wrong = run(line);
  CHECK(wrong.exited_with(2));
  CHECK(contains(wrong.errors, "--until soon: "));
  line.words.back() = "10000 s";
  CHECK(contains(run(line).errors, "--until 10000 s: simulated time ends after 9223 s"));
}

TEST_CASE("a coverage file that cannot be written is said before the simulation") {
  const scratch_folder folder;
  command line = endless(folder);
  line.words.insert(line.words.end(), {"--coverage", "/nowhere/coverage.json"});
  line.seconds = 60;
  const command_result seen = run(line);
  INFO(seen.errors);
  CHECK(seen.exited_with(2));
  CHECK(contains(seen.errors, "/nowhere/coverage.json"));
}
#endif

TEST_CASE("a run that is ended at an idle time has lasted until then") {
  const scratch_folder folder;
  const heddle_run ended(project_file("yaml/ring_allreduce.yaml"),
                         {{"params.gpus", "2"}, {"workload.bytes", "1 MiB"}},
                         {"--until", "7123456789 fs", "--wave", folder.file("w.vcd"), "--perfetto",
                          folder.file("p.json")});
  INFO(ended.report());
  REQUIRE(ended.result().exited_with(1));
  const nlohmann::json stats = ended.stats();
  CHECK(stats["simulated_s"] == 7.123456789e-6);
  CHECK(read_vcd(folder.file("w.vcd")).end == 7123456789);
  const nlohmann::json perfetto = nlohmann::json::parse(folder.content("p.json"));
  double last_us = 0;
  for (const nlohmann::json& each : perfetto["traceEvents"])
    if (each.contains("dur"))
      last_us = std::max(last_us, each["ts"].get<double>() + each["dur"].get<double>());
  CHECK(last_us == Approx(7.123456789).epsilon(1e-12));
  std::istringstream links(ended.folder().content("out/links.csv"));
  std::string line;
  for (int i = 0; i < 2; ++i) std::getline(links, line);  // the heading, gpu[0] to nvs[0]
  std::istringstream row(line);
  for (int i = 0; i < 8; ++i) std::getline(row, line, ',');  // busy_s
  const double share = stats["busy"].at("gpu[0].ni.port[0] -> nvs[0].port[0]").get<double>();
  CHECK(share == Approx(std::stod(line) / 7.123456789e-6));
}

TEST_CASE("a run that is ended behind or within its window tells what its traffic measured") {
  const auto row = [](const std::string& netlist, const std::string& until) {
    const heddle_run ended(project_file("yaml/" + netlist), {}, {"--until", until});
    INFO(ended.report());
    CHECK(ended.result().exited_with(1));
    CHECK(contains(ended.result().errors, "synthetic traffic: "));
    CHECK(contains(ended.folder().content("out/summary.txt"), "synthetic traffic: "));
    CHECK_FALSE(contains(ended.result().errors, "saturated"));
    const nlohmann::json stats = ended.stats();
    return stats.contains("traffic") ? stats["traffic"].at(0) : stats["packet_traffic"].at(0);
  };
  CHECK(row("packet_traffic.yaml", "26 us")["accepted_share"].get<double>() ==
        Approx(0.5).epsilon(0.02));
  // 5 us of a window of 20 us.
  CHECK(row("mesh_traffic.yaml", "10 us")["accepted_flits_per_cycle"].get<double>() ==
        Approx(0.1).epsilon(0.03));
}

TEST_CASE("of many that wait the terminal shows some, and summary.txt all") {
  const heddle_run ended(project_file("yaml/ring_allreduce.yaml"),
                         {{"params.gpus", "16"}, {"workload.bytes", "64 KiB"}},
                         {"--until", "10 us"});
  INFO(ended.report());
  REQUIRE(ended.result().exited_with(1));
  CHECK(contains(ended.result().errors, " more wait: summary.txt of the run has them"));
  CHECK(contains(ended.folder().content("out/summary.txt"), "  gpu[15].cp waits for "));
  CHECK_FALSE(contains(ended.folder().content("out/summary.txt"), " more wait"));
}

TEST_CASE("a file that may grow no more is an error of its writer") {
  const scratch_folder folder;
  command line = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                             {{"params.gpus", "2"}, {"workload.bytes", "64 KiB"}});
  command shell;
  shell.words = {"sh", "-c", "ulimit -f 8; exec " + line.text() + " --wave waves.vcd"};
  shell.folder = folder.path();
  const command_result seen = run(shell);
  INFO(seen.errors);
  CHECK(seen.exited_with(2));
  CHECK(contains(seen.errors, "waves.vcd': File too large"));
}

TEST_CASE("a report of a run takes no record and no profile of an earlier one in its directory") {
  const scratch_folder folder;
  command line = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                             {{"params.gpus", "2"}, {"workload.bytes", "1 KiB"}});
  line.words.insert(line.words.end(), {"--profile", "--report", folder.file("first.html")});
  REQUIRE(run(line).exited_with(0));
  REQUIRE(contains(folder.content("out/profile.json"), "communicator_await"));
  command again = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                              {{"params.gpus", "2"}, {"workload.bytes", "2 KiB"}});
  REQUIRE(run(again).exited_with(0));
  CHECK_FALSE(folder.has("out/profile.json"));
  command report;
  report.words = {heddle_program(), "report", folder.file("out"), "--out",
                  folder.file("second.html")};
  REQUIRE(run(report).exited_with(0));
  CHECK_FALSE(contains(folder.content("first.html"), "No time line"));
  CHECK(contains(folder.content("second.html"), "No time line"));
}

TEST_CASE("pictures of another run do not stay in a directory that is used again") {
  const scratch_folder folder;
  const auto run_again = [&](const std::string& netlist, const settings& values) {
    const command_result seen =
        run(run_command(project_file("yaml/" + netlist), folder.file("out"), values));
    INFO(seen.errors);
    REQUIRE(seen.exited_with(0));
  };
  run_again("mesh_tiles.yaml", {{"params.width", "2"},
                                {"params.height", "2"},
                                {"workload.bytes", "1 KiB"},
                                {"workload.algorithm", "[mesh_hw, mesh_tree]"}});
  REQUIRE(folder.has("out/link_utilization_mesh_hw.svg"));
  folder.write("out/moe_utilization_notes.svg", "<svg><!-- mine --></svg>\n");
  run_again("mesh_tiles.yaml", {{"params.width", "2"},
                                {"params.height", "2"},
                                {"workload.bytes", "1 KiB"},
                                {"workload.algorithm", "mesh_hw"}});
  CHECK(folder.has("out/link_utilization.svg"));
  CHECK_FALSE(folder.has("out/link_utilization_mesh_hw.svg"));
  CHECK_FALSE(folder.has("out/link_utilization_mesh_tree.svg"));
  run_again("ring_allreduce.yaml", {{"params.gpus", "2"}, {"workload.bytes", "1 KiB"}});
  CHECK_FALSE(folder.has("out/link_utilization.svg"));
  CHECK(folder.has("out/moe_utilization_notes.svg"));
}

TEST_CASE("of a run that ends before its first job, busy is told of all its time") {
  const heddle_run ended(project_file("yaml/ring_allreduce.yaml"),
                         {{"params.gpus", "2"}, {"workload.bytes", "1 MiB"}}, {"--until", "8 us"});
  INFO(ended.report());
  REQUIRE(ended.result().exited_with(1));
  const nlohmann::json stats = ended.stats();
  CHECK(stats["collectives"].empty());
  std::istringstream links(ended.folder().content("out/links.csv"));
  std::string line;
  std::getline(links, line);
  int compared = 0;
  for (; std::getline(links, line); ++compared) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    INFO(line);
    const double share = stats["busy"].at(cells[0] + " -> " + cells[1]).get<double>();
    CHECK(share > 0.1);
    CHECK(share == Approx(std::stod(cells[8])).margin(1e-6));
  }
  CHECK(compared == 16);
}

TEST_CASE("a report of links that no run has written names their place") {
  const scratch_folder folder;
  REQUIRE(run(run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                          {{"params.gpus", "2"}, {"workload.bytes", "1 KiB"}}))
              .exited_with(0));
  command report;
  report.words = {heddle_program(), "report", folder.file("out")};
  const std::string links = folder.content("out/links.csv");
  const std::size_t second_line = links.find('\n') + 1;
  const std::size_t third_cell = links.find(',', links.find(',', second_line) + 1) + 1;
  folder.write("out/links.csv", std::string(links).insert(third_cell, "x"));
  const command_result crooked = run(report);
  CHECK(crooked.exited_with(2));
  CHECK(crooked.errors.find(folder.file("out") +
                            "/links.csv:2:" + std::to_string(third_cell - second_line + 1) +
                            ": bandwidth_Bps: expected a number, got \"x") == 0);
  folder.write("out/links.csv", "");
  const command_result empty = run(report);
  CHECK(empty.exited_with(2));
  CHECK(contains(empty.errors, "/links.csv: the file is empty"));
}

TEST_CASE("files that cannot be written are said before there is anything to write") {
  const std::string ring = project_file("yaml/ring_allreduce.yaml");
  const scratch_folder folder;
  const std::string out = folder.file("out");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"compare", ring, "--with", "params.gpus=4", "--json"},
        {"run", ring, "--out", out, "--report"},
        {"run", ring, "--out", out, "--perfetto"},
        {"run", ring, "--out", out, "--coverage"},
        {"run", ring, "--out", out, "--mmio-log"},
        {"run", ring, "--out", out, "--wave"},
        {"gemm", "--simulate", "4", "--csv"},
        {"gemm", "--simulate", "4", "--json"},
        {"quantize", "--csv"},
        {"quantize", "--json"}}) {
    std::vector<std::string> all = words;
    all.emplace_back("/nowhere/table");
    const command_result seen = heddle_with(all);
    INFO(words.front() << "\n" << seen.output << seen.errors);
    CHECK(seen.exited_with(2));
    CHECK(contains(seen.errors, "/nowhere/table"));
    CHECK(seen.output.empty());
  }
}

TEST_CASE("jobs of several workloads are compared, each below its own heading") {
  const scratch_folder folder;
  const command_result seen =
      heddle_with({"compare", project_file("tests/system/workloads/groups.yaml"), "--set",
                   "workload[0].bytes=4 KiB", "--set", "workload[1].bytes=4 KiB", "--with",
                   "train=1", "--json", folder.file("rows.json")});
  INFO(seen.errors << seen.output);
  REQUIRE(seen.exited_with(0));
  CHECK(contains(seen.output, "left: allreduce, 4 ranks; second: with train=1\n"));
  CHECK(contains(seen.output, "right: allgather, 4 ranks; second: with train=1\n"));
  const auto rows = nlohmann::json::parse(folder.content("rows.json"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[1]["workload"] == "right");
  CHECK(rows[1]["other_time_s"].get<double>() > 0);
}

TEST_CASE("jobs that differ in size or take no time are compared without a factor of nothing") {
  const auto compared = [](const std::string& gpus, const std::string& with) {
    const command_result seen =
        heddle_with({"compare", project_file("yaml/ring_allreduce.yaml"), "--set",
                     "params.gpus=" + gpus, "--set", "workload.bytes=1 KiB", "--with", with});
    INFO(seen.errors);
    CHECK(seen.exited_with(0));
    return seen.output;
  };
  CHECK(contains(compared("2", "workload.bytes=1 MiB"), "1 KiB / 1 MiB  ring "));
  CHECK(contains(compared("1", "train=1"), " -  yes\n"));
  CHECK(contains(compared("1", "params.gpus=2"), " -  yes\n"));
}

TEST_CASE("a comparison has the times of both runs, and says by what they differ") {
  const scratch_folder folder;
  const auto time_with = [](const std::string& bytes) {
    const heddle_run done(project_file("yaml/ring_allreduce.yaml"),
                          {{"params.gpus", "2"}, {"workload.bytes", bytes}});
    INFO(done.report());
    REQUIRE(done.is_verified());
    return done.stats()["collectives"][0]["time_s"].get<double>();
  };
  const double first = time_with("64 KiB"), second = time_with("1 MiB");
  const command_result seen =
      heddle_with({"compare", project_file("yaml/ring_allreduce.yaml"), "--set", "params.gpus=2",
                   "--set", "workload.bytes=64 KiB", "--with", "workload.bytes=1 MiB", "--json",
                   folder.file("rows.json")});
  INFO(seen.errors << seen.output);
  REQUIRE(seen.exited_with(0));
  const auto row = nlohmann::json::parse(folder.content("rows.json"))[0];
  CHECK(row["bytes"] == 64 << 10);
  CHECK(row["time_s"] == Approx(first));
  CHECK(row["other_time_s"] == Approx(second));
  CHECK(row["difference_s"] == Approx(second - first));
  double sum = 0;
  for (const auto& part : row["of_it_s"]) sum += part.get<double>();
  CHECK(sum == Approx(second - first).epsilon(1e-6));
  std::ostringstream factor;
  factor << std::fixed << std::setprecision(2) << second / first << " x  yes\n";
  CHECK(contains(seen.output, factor.str()));
}

TEST_CASE("runs with other numbers of jobs are not compared") {
  const std::string netlist = project_file("yaml/ring_allreduce.yaml");
  const command_result seen =
      heddle_with({"compare", netlist, "--set", "params.gpus=2", "--set", "workload.bytes=1 KiB",
                   "--with", "workload.bytes=[1 KiB, 2 KiB]"});
  CHECK(seen.exited_with(2));
  CHECK(seen.errors ==
        netlist + ": 1 job, with workload.bytes=[1 KiB, 2 KiB] 2: nothing to compare\n");
}

TEST_CASE("jobs are compared in the words of their kind") {
  const command_result seen =
      heddle_with({"compare", project_file("yaml/mesh_gemm.yaml"), "--set", "params.width=2",
                   "--set", "params.height=2", "--with", "train=1"});
  INFO(seen.errors << seen.output);
  REQUIRE(seen.exited_with(0));
  CHECK(contains(seen.output, "\n      tile  algorithm               first       second "));
  CHECK(contains(seen.output, "\n   16 x 16  mesh_tree "));
}

TEST_CASE("firmware uses the channels that a DMA engine has, and no more can be asked for") {
  const auto with = [](std::vector<std::string> sets) {
    const scratch_folder folder;
    command line;
    line.words = {heddle_program(), "run", project_file("yaml/ring_allreduce.yaml")};
    sets.insert(sets.begin(), {"params.gpus=2", "workload.bytes=1 KiB"});
    for (const std::string& each : sets) line.words.insert(line.words.end(), {"--set", each});
    line.folder = folder.path();
    return run(line);
  };
  CHECK(with({"gpu[*].dma.channels=2"}).exited_with(0));
  CHECK(with({"workload.channels=8"}).exited_with(0));
  const command_result refused = with({"workload.channels=9"});
  INFO(refused.errors);
  CHECK(refused.exited_with(2));
  CHECK(contains(refused.errors,
                 "--set workload.channels: the DMA engine of gpu[0].cp has 8 channels, not 9"));
}

TEST_CASE("a netlist without a workload cannot be compared") {
  const command_result seen =
      heddle_with({"compare", project_file("sw/template/system.yaml"), "--with", "train=1"});
  INFO(seen.errors);
  CHECK(seen.exited_with(2));
  CHECK(contains(seen.errors, "system.yaml: the netlist has no workload to compare"));
}

TEST_CASE("a system that the host has no memory for is refused with a sentence") {
  const auto with_little_memory = [](const command& given) {
    std::string words;
    for (const std::string& each : given.words) words += " '" + each + "'";
    command shell;
    shell.words = {"sh", "-c", "ulimit -v 500000; exec" + words};
    return run(shell);
  };
  command least;
  least.words = {heddle_program(), "models"};
  if (!with_little_memory(least).exited_with(0)) return;  // built with a sanitizer
  const scratch_folder folder;
  const command_result result =
      with_little_memory(run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                                     {{"params.gpus", "2"}, {"workload.bytes", "512 MiB"}}));
  CHECK(result.exited_with(2));
  CHECK(result.errors.rfind("out of memory: the system and its data need more than the host gives; "
                            "the program holds ",
                            0) == 0);
}
