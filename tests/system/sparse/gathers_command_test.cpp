// heddle gathers as a user calls it, on a run of two racks of four nodes.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command_result gathers(const scratch_folder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {heddle_program(), "gathers"});
  return run({words, folder.path()});
}

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a run of gathers is told and drawn for a person") {
  const heddle_run ladder("gather.yaml", {});
  INFO(ladder.report());
  REQUIRE(ladder.result().exited_with(0));
  const auto told = gathers(
      ladder.folder(), {ladder.folder().file("out"), "--svg", "active.svg", "--csv", "active.csv"});
  INFO(told.errors);
  REQUIRE(told.exited_with(0));
  CHECK(told.output.find("gather of eight_nodes.mtx, 8 nodes\n") == 0);
  CHECK(lines_with(told.output, "ends last, after") == 5);  // a step of the ladder each
  const std::string csv = ladder.folder().content("active.csv");
  CHECK(csv.find("gather,time_us,active_nodes\n") == 0);
  CHECK(lines_with(csv, ",0,8\n") == 5);  // all at the start
  CHECK(lines_with(csv, ",0\n") == 5);    // none in the end
  const std::string svg = ladder.folder().content("active.svg");
  CHECK(lines_with(svg, "stroke-width=\"2\"") == 2 * 5);  // curves, and their names
  CHECK(svg.find("+coalesce, K = 16") != std::string::npos);
}

TEST_CASE("standard output that cannot hold what is told of gathers is an error of its own") {
  const heddle_run ladder("gather.yaml", {});
  INFO(ladder.report());
  REQUIRE(ladder.result().exited_with(0));
  command full;
  full.words = {"/bin/sh", "-c", heddle_program() + " gathers out > /dev/full"};
  full.folder = ladder.folder().path();
  const command_result told = run(full);
  CHECK(told.exited_with(2));
  CHECK(told.errors == "cannot write to standard output: No space left on device\n");
}

TEST_CASE("the critical path of the tail node adds up to its time, and the laws hold") {
  const heddle_run ladder("gather.yaml", {{"workload.matrix", "standins/queen.yaml"},
                                          {"workload.scale", "1/2048"},
                                          {"workload.k", "[4, 64]"},
                                          {"workload.clear", "inside"}});
  INFO(ladder.report());
  REQUIRE(ladder.result().exited_with(0));
  const auto stats = ladder.stats();
  REQUIRE(stats["gathers"].size() == 10);
  for (const auto& row : stats["gathers"]) {
    const auto& tail = row["tail"];
    double path = 0, latest = 0;
    for (const auto& part : tail["path"]) path += part.get<double>();
    for (const auto& node : row["nodes"]) latest = std::max(latest, node["time_s"].get<double>());
    CHECK(row["nodes"][tail["node"].get<std::size_t>()]["time_s"] == latest);
    CHECK(path == Approx(latest).epsilon(1e-9));
    CHECK(tail["path"]["responses"] > 0);
    CHECK(tail["path"]["host"] > 0);
    CHECK(tail["speedup_law"] == Approx(1).epsilon(1e-9));
    CHECK(row["bound"]["seconds"] <= row["time_s"]);
    CHECK(tail["bound_s"] <= row["bound"]["seconds"]);
  }
}

TEST_CASE("what is no run of gathers is refused") {
  const heddle_run other("ring_allreduce.yaml", {{"workload.bytes", "1 KiB"}});
  REQUIRE(other.result().exited_with(0));
  const auto refused = gathers(other.folder(), {other.folder().file("out")});
  CHECK(refused.exited_with(2));
  CHECK(refused.errors.find("is no run with gathers") != std::string::npos);
  const auto missing = gathers(other.folder(), {"nowhere"});
  CHECK(missing.exited_with(2));
  CHECK(missing.errors.find("nowhere") != std::string::npos);
}

TEST_CASE("a directory without a run is refused by what the command needs") {
  const scratch_folder folder;
  const command_result told = gathers(folder, {"nowhere"});
  CHECK(told.exited_with(2));
  CHECK(told.errors ==
        "nowhere/stats.json: No such file or directory; `heddle gathers` needs the directory of a "
        "run with gathers: workload `kind: gather`, spmv, spmm or sddmm\n");
}
