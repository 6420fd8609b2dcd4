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

// 64 columns on eight nodes, properties of 64 B, links of 50 GB/s.
TEST_CASE("the figures of a gather follow from those of its nodes") {
  const heddle_run ladder("gather.yaml", {});
  INFO(ladder.report());
  REQUIRE(ladder.result().exited_with(0));
  const auto stats = ladder.stats();
  REQUIRE(stats["gathers"].size() == 5);
  const double link = 50e9, everything = 64 * 7 / 8. * 64;
  for (const auto& row : stats["gathers"]) {
    INFO(row.dump());
    const auto& nodes = row["nodes"];
    const auto& tail = row["tail"];
    const auto number = tail["node"].get<std::size_t>();
    const auto of = [](const nlohmann::json& node, const char* key) {
      return node[key].get<double>();
    };
    const auto sum = [&](const char* key) {
      double all = 0;
      for (const auto& each : nodes) all += of(each, key);
      return all;
    };
    for (const char* key : {"local", "filtered", "coalesced", "issued", "served"})
      CHECK(row[key] == sum(key));
    const auto remote = [&](const nlohmann::json& node) {
      return of(node, "filtered") + of(node, "coalesced") + of(node, "issued");
    };
    const double all_remote = sum("filtered") + sum("coalesced") + sum("issued");
    CHECK(row["remote"] == all_remote);
    CHECK(row["responses"] == row["issued"]);
    CHECK(row["orphans"] == 0);
    const double hits = row["cache_hits"], misses = row["cache_misses"];
    CHECK(row["issued"] == sum("served") + hits);
    CHECK(row["hit_rate"] == Approx(hits + misses > 0 ? hits / (hits + misses) : 0));
    const double time = row["time_s"];
    CHECK(row["suopt_s"] == Approx(everything / link));
    CHECK(row["speedup"] == Approx(everything / link / time));
    const auto& last = nodes[number];
    CHECK(of(last, "property_bytes") == 64 * of(last, "issued"));
    CHECK(tail["goodput"] == Approx(of(last, "property_bytes") / link / time));
    CHECK(tail["utilization"] == Approx(of(last, "received_bytes") / link / time));
    CHECK(tail["traffic_reduction"] == Approx(everything / of(last, "received_bytes")));
    CHECK(tail["filtered_coalesced"] == Approx(1 - of(last, "issued") / remote(last)));
    CHECK(tail["requests_a_packet"] ==
          Approx(of(last, "received_requests") / of(last, "received_packets")));
    // Every request and every response has a header of 18 B, every packet one of 64 B around those
    // that it concatenates, or one of 60 B around a lone one.
    const std::string features = row["features"];
    const double around = features == "+nic_concat" || features == "+switch" ? 64 : 60;
    for (const auto& each : nodes)
      CHECK(of(each, "received_bytes") == around * of(each, "received_packets") +
                                              18 * of(each, "received_requests") +
                                              of(each, "property_bytes"));
    // The law takes it that a node serves as many properties as it asks for.
    const double header = 18 + around / tail["requests_a_packet"].get<double>();
    CHECK(tail["goodput_law"] == Approx(of(last, "property_bytes") / of(last, "received_bytes") /
                                        (64 / (64 + 2 * header))));
    CHECK(tail["speedup_law"] == Approx(1));
    CHECK(tail["bound_s"] > 0);
    CHECK(tail["bound_s"] <= time);
    const auto over_mean = [&](double own, double all) { return own * 8 / all; };
    CHECK(tail["over_mean"]["nonzeros"] ==
          Approx(over_mean(of(last, "local") + remote(last), sum("local") + all_remote)));
    CHECK(tail["over_mean"]["remote"] == Approx(over_mean(remote(last), all_remote)));
    for (const char* key : {"issued", "served", "received_bytes", "sent_bytes"})
      CHECK(tail["over_mean"][key] == Approx(over_mean(of(last, key), sum(key))));
    // All are active at the start, and one less with each that ends.
    const auto& active = row["active"];
    CHECK(active.front()["nodes"] == 8);
    CHECK(active.back()["nodes"] == 0);
    CHECK(active.back()["share"] == 1);
    for (const auto& each : active) {
      const double when = each["share"].get<double>() * of(last, "time_s") * (1 + 1e-12);
      const auto ended = std::count_if(
          nodes.begin(), nodes.end(), [&](const auto& node) { return of(node, "time_s") <= when; });
      CHECK(each["nodes"] == 8 - ended);
    }
  }
}
