// Gathers on two racks of four nodes, as a user meets them.
#include <catch2/catch.hpp>

#include <iostream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string all_features = "[filter,coalesce,nic_concat,switch]";

nlohmann::json rows_of(const heddle_run& run) {
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  return run.stats()["gathers"];
}

std::vector<double> times_of(const nlohmann::json& rows) {
  std::vector<double> times;
  for (const auto& row : rows) times.push_back(row["time_s"]);
  return times;
}

// Some hundred thousand nonzeros.
settings with_standin(settings more) {
  more.insert(more.begin(), {{"workload.matrix", "standins/queen.yaml"},
                             {"workload.scale", "1/1024"},
                             {"workload.batch", "2048"},
                             {"workload.features", all_features}});
  return more;
}

}  // namespace

TEST_CASE("every step of the ladder gathers every property, in memories of either kind") {
  const auto real = rows_of(heddle_run("gather.yaml", {{"workload.memory", "real"}}));
  const auto described = rows_of(heddle_run("gather.yaml", {{"workload.memory", "described"}}));
  REQUIRE(real.size() == 5);
  for (const auto& row : real) CHECK(row["verified"] == true);
  for (const auto& row : described) CHECK(row["verified"] == true);
  CHECK(times_of(real) == times_of(described));
}

TEST_CASE("without data a gather takes the same time, to the femtosecond") {
  const auto on = rows_of(heddle_run("gather.yaml", with_standin({})));
  const auto off = rows_of(heddle_run("gather.yaml", with_standin({{"data", "off"}})));
  REQUIRE(on.size() == 1);
  CHECK(on[0]["verified"] == true);
  CHECK(times_of(on) == times_of(off));
  CHECK(on[0]["packets"] == off[0]["packets"]);
  CHECK(on[0]["cache_hits"] == off[0]["cache_hits"]);
}

TEST_CASE("what the cache of a switch answers keeps to the channels of responses") {
  const auto watched =
      rows_of(heddle_run("gather.yaml", {{"workload.matrix", "standins/arabic.yaml"},
                                         {"workload.scale", "1/512"},
                                         {"workload.features", "[" + all_features + "]"},
                                         {"monitors", "on"}}));
  const auto& row = watched[0];
  const double hits = row["cache_hits"], misses = row["cache_misses"];
  CHECK(hits > 0);
  CHECK(misses > 0);
  CHECK(row["hit_rate"] == Approx(hits / (hits + misses)));
  double served = 0;
  for (const auto& node : row["nodes"]) served += node["served"].get<double>();
  CHECK(row["issued"] == served + hits);
  CHECK(row["cache_inserts"] > 0);
  CHECK(row["cache_inserts"] <= misses);  // each with the answer to a request that went on
  CHECK(row["cache_evictions"] <= row["cache_inserts"]);
  CHECK(row["tail"]["hit_rate"] > 0);
  CHECK(row["tail"]["hit_rate"] < 1);
}

// A NIC works on every command with another unit, which has one pending request at a time.
TEST_CASE("a row of a node tells the stalls of its NIC, no more than its units work") {
  const heddle_run run("gather.yaml",
                       {{"workload.features", "[[filter]]"}, {"node[*].nic.pending", "1"}});
  const auto row = rows_of(run)[0];
  const auto units = run.stats()["units"];
  for (std::size_t i = 0; i < row["nodes"].size(); ++i) {
    const auto& node = row["nodes"][i];
    INFO(node.dump());
    const auto& nic = units["node[" + std::to_string(i) + "].nic"];
    for (const std::string stall : {"stall_lsq", "stall_pending", "stall_tx"})
      CHECK(node[stall + "_s"] == Approx(nic[stall]["value"].get<double>()).margin(1e-15));
    CHECK(node["stall_pending_s"] > 0);
    CHECK(node["stall_pending_s"] <
          nic["commands"]["value"].get<double>() * node["time_s"].get<double>());
  }
}

TEST_CASE("64 indices at a time take the time that single ones take, within 1 %") {
  const auto reads = GENERATE("768", "48");  // that PCIe takes at a time: enough, and too few
  const auto with_quantum = [&](const char* indices) {
    return rows_of(heddle_run("gather.yaml", with_standin({{"params.quantum", indices},
                                                           {"node[*].pcie.outstanding", reads}})));
  };
  const auto one = with_quantum("1"), many = with_quantum("64");
  const double single = one[0]["time_s"], together = many[0]["time_s"];
  std::cout << "index quantum 1: " << 1e6 * single << " us, 64: " << 1e6 * together << " us, "
            << 100 * (together / single - 1) << " %\n";
  CHECK(together == Approx(single).epsilon(0.01));
}

TEST_CASE("a gather that loses a packet fails, and is right when it is gathered again") {
  const auto [node, packet] = GENERATE(table<int, int>({{0, 1}, {3, 2}, {5, 7}, {7, 8}}));
  CAPTURE(node, packet);
  const std::string lose = "node[" + std::to_string(node) + "].nic.lose";
  const auto rows =
      rows_of(heddle_run("gather.yaml", with_standin({{lose, std::to_string(packet)},
                                                      {"workload.memory", "real"},
                                                      {"workload.watchdog", "30 us"}})));
  CHECK(rows[0]["verified"] == true);
  CHECK(rows[0]["failures"] >= 1);
}

TEST_CASE("a gather that fails again and again is reported, not left out") {
  const heddle_run run("gather.yaml", with_standin({{"workload.watchdog", "2 us"}}));
  INFO(run.report());
  CHECK(run.result().exited_with(1));
  CHECK(run.result().errors.find("gather error TIMEOUT: ") != std::string::npos);
}

namespace {

#ifdef HEDDLE_HAS_RV64
const std::vector<std::string> cores = {"core", "rv64_core"};
#else
const std::vector<std::string> cores = {"core"};
#endif

}  // namespace

TEST_CASE("a gather that gives up has stopped its other units, and says what to set") {
  const std::string core = GENERATE(from_range(cores));
  const heddle_run run("gather.yaml", {{"params.core", core},
                                       {"workload.matrix", "standins/uk.yaml"},
                                       {"workload.scale", "1/256"},
                                       {"workload.batch", "512"},
                                       {"workload.features", all_features},
                                       {"workload.watchdog", "1 us"}});
  INFO(run.report());
  CHECK(run.result().exited_with(1));
  const std::string& errors = run.result().errors;
  CHECK_THAT(errors, Catch::Contains("warning: `watchdog` of 1 us is shorter than the 3.8 us that "
                                     "one request takes at least"));
  CHECK_THAT(errors,
             Catch::Contains("gather error TIMEOUT: 9 tries took longer than the `watchdog` of "
                             "1000 ns, set a longer one or a smaller `batch`, batch: "));
  CHECK_THAT(errors, !Catch::Contains("contract broken"));
}

TEST_CASE("a gather that loses a packet and has no watchdog is reported as waiting") {
  const heddle_run run("gather.yaml", with_standin({{"node[2].nic.lose", "3"}}));
  INFO(run.report());
  CHECK(run.result().exited_with(1));
  CHECK(run.result().errors.find("properties") != std::string::npos);
}

TEST_CASE("what the hardware cannot gather is refused with its place") {
  const auto error = [](const settings& values) {
    const heddle_run run("gather.yaml", values);
    INFO(run.report());
    CHECK(run.result().exited_with(2));
    return run.result().errors;
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(error({{"workload.k", "355"}}),
           "a property of 355 elements takes 1420 B and fits into no packet of 1500 B: 354 "
           "elements are the most");
  contains(error({{"workload.matrix", "standins/queen.yaml"}, {"node[3].nic.memory", "4 KiB"}}),
           "the filter of ");
  contains(error({{"workload.delay", "2000000"}}), "delay");
  contains(error({{"workload.clients", "32"}}), "one has to serve");
  contains(error({{"workload.setup", ""}}), "needs a core that programs the racks");
  for (const settings& values : {settings{{"workload.k", "355"}}, {{"workload.clients", "32"}}})
    contains(error(values), "--set");
}

#ifdef HEDDLE_HAS_RV64
TEST_CASE("gathers by firmware on RISC-V cores") {
  const auto rows = rows_of(heddle_run("gather.yaml", {{"params.core", "rv64_core"}}));
  REQUIRE(rows.size() == 5);
  for (const auto& row : rows) CHECK(row["verified"] == true);
}
#endif

TEST_CASE("racks of one node, and as few switches as there can be") {
  for (const char* leaves : {"1", "2"}) {
    const auto rows = rows_of(heddle_run(
        "gather.yaml", {{"params.hosts", "1"}, {"params.leaves", leaves}, {"params.spines", "1"}}));
    REQUIRE(rows.size() == 5);
    for (const auto& row : rows) CHECK(row["verified"] == true);
  }
}

TEST_CASE("a gather shares its network with synthetic traffic, and gathers every property") {
  const std::string gather =
      "[{kind: gather, ranks: 'node*', setup: 'control*', matrix: standins/europe.yaml, "
      "scale: 1/512, k: 16, features: ladder, check: exact}]";
  const heddle_run run(project_file("tests/system/sparse/shared_network.yaml"),
                       {{"params.load", "0.1"}, {"workload", gather}});
  const auto rows = rows_of(run);
  REQUIRE(rows.size() == 5);
  for (const auto& row : rows) {
    CHECK(row["verified"] == true);
    CHECK(row["shared_with"] == nlohmann::json{"synthetic traffic"});
  }
  CHECK(run.stats()["units"]["t[0]"]["packets_sent"]["value"] > 0);
}

TEST_CASE("packets of 9000 B hold a property that is too long for 1500 B") {
  const auto rows = rows_of(heddle_run("gather.yaml", {{"node[*].nic.mtu", "9000 B"},
                                                       {"leaf[*].middle.mtu", "9000 B"},
                                                       {"workload.k", "355"},
                                                       {"workload.features", all_features}}));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["verified"] == true);
}

TEST_CASE("a gather of an empty matrix keeps the columns of its table") {
  const scratch_folder folder;
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n8 8 0\n");
  const std::string kind = GENERATE("gather", "spmm");
  const heddle_run run("gather.yaml",
                       {{"workload.kind", kind}, {"workload.matrix", folder.file("empty.mtx")}});
  const auto rows = rows_of(run);
  REQUIRE(rows.size() == 5);
  for (const auto& row : rows) {
    CHECK(row["time_s"] == 0);
    CHECK(row["k"] == 16);
    CHECK_FALSE(row.contains("tail"));
  }
  const std::string table = run.folder().content("out/summary.txt");
  INFO(table);
  for (const char* column :
       {"over SUOpt", "goodput", "line", "traffic", "left out", "hits", "tail"})
    CHECK_THAT(table.substr(0, table.find("K = 16")), Catch::Contains(column));
  CHECK((kind == "gather") == (table.find("computed") == std::string::npos));
}

TEST_CASE("a gather of what every node has itself divides by no bytes") {
  const scratch_folder folder;
  folder.write("local.mtx", "%%MatrixMarket matrix coordinate pattern general\n8 8 2\n1 1\n8 8\n");
  const heddle_run run("gather.yaml", {{"workload.matrix", folder.file("local.mtx")},
                                       {"workload.features", "[filter]"}});
  INFO(run.report());
  CHECK(run.result().exited_with(0));
  const std::string table = run.folder().content("out/summary.txt");
  CHECK_THAT(table, Catch::Contains("0.0 %          -"));  // line, traffic
  CHECK_THAT(table, Catch::Contains("0.0 %      -"));      // left out, PRs a packet
}

TEST_CASE("the bound of a gather has the network of its farthest request") {
  const auto [column, plain, by_switch] = GENERATE(
      table<const char*, double, double>({{"2", 3.8e-6, 16e-9}, {"8", 6.8e-6, 32e-9 + 125e-9}}));
  CAPTURE(column);
  const scratch_folder folder;
  folder.write("one.mtx", "%%MatrixMarket matrix coordinate pattern general\n8 8 1\n1 " +
                              std::string(column) + "\n");
  const auto rows =
      rows_of(heddle_run("gather.yaml", {{"workload.matrix", folder.file("one.mtx")}}));
  REQUIRE(rows.size() == 5);
  for (const auto& row : rows) {
    CHECK(row["bound"]["by"] == "the path of one request");
    CHECK(row["bound"]["node"] == 0);
    CHECK(row["bound"]["seconds"] < row["time_s"]);
  }
  const double waits = 1000 * 454'545e-15;
  CHECK(rows[0]["bound"]["seconds"].get<double>() == Approx(plain));
  CHECK(rows[3]["bound"]["seconds"].get<double>() == Approx(plain + waits));
  CHECK(rows[4]["bound"]["seconds"].get<double>() == Approx(plain + waits + by_switch));
}
