// What a run with synthetic traffic says: load and latency of each network.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

struct traffic_run {
  explicit traffic_run(const std::string& netlist, const settings& values = {})
      : done(project_file("yaml/" + netlist), values) {
    INFO(done.report());
    REQUIRE(done.result().exited_with(0));
    networks = done.stats()["traffic"];
    summary = done.folder().content("out/summary.txt");
  }
  heddle_run done;
  nlohmann::json networks;
  std::string summary;
};

double sum_over_nodes(const nlohmann::json& units, const std::string& counter) {
  double sum = 0;
  for (const auto& [path, unit] : units.items())
    if (path.rfind("node[", 0) == 0) sum += unit[counter]["value"].get<double>();
  return sum;
}

// A network of flit_switches, from the rest of its topology.
heddle_run run_flit_network(const std::string& topology) {
  const scratch_folder folder;
  const std::string netlist = folder.write("flits.yaml",
                                           "heddle: 1\n"
                                           "name: flits\n"
                                           "topology:\n"
                                           "  switch: {type: flit_switch}\n" +
                                               topology);
  return heddle_run(netlist, {});
}

}  // namespace

TEST_CASE("traffic on a mesh is summed over its terminals") {
  const traffic_run run("mesh_traffic.yaml", {{"params.width", "4"}, {"params.height", "4"}});
  REQUIRE(run.networks.size() == 1);
  const nlohmann::json& one = run.networks[0];
  CHECK(one["network"] == "node[*]");
  CHECK(one["terminals"] == 16);
  CHECK(one["offered_flits_per_cycle"] == Approx(0.1));
  const nlohmann::json units = run.done.stats()["units"];
  const double measured = sum_over_nodes(units, "measured");
  CHECK(one["accepted_flits_per_cycle"].get<double>() ==
        Approx(sum_over_nodes(units, "window_flits") / (16 * 20000)));
  CHECK(one["accepted_flits_per_cycle"].get<double>() == Approx(0.1).epsilon(0.03));
  CHECK(one["latency_s"].get<double>() == Approx(sum_over_nodes(units, "latency") / measured));
  CHECK(one["network_latency_s"].get<double>() ==
        Approx(sum_over_nodes(units, "network_latency") / measured));
  CHECK(one["cycle_s"].get<double>() == Approx(1e-9));
  CHECK(one["hops"].get<double>() == Approx(sum_over_nodes(units, "hops") / measured));
  // Of all pairs, itself included, the mean distance is 2 (16 - 1) / (3 * 4), and one router more.
  CHECK(one["hops"].get<double>() == Approx(3.5).epsilon(0.02));
  // To itself: two links of two cycles, three cycles in the router.
  CHECK(one["min_network_latency_s"].get<double>() == Approx(7e-9));
  CHECK_FALSE(one["saturated"].get<bool>());
  CHECK_THAT(run.summary, Catch::Contains("node[*]     16    0.100"));
  CHECK_THAT(run.summary, !Catch::Contains("saturated"));
  // The buffer of a virtual channel holds 8 flits of 16 B.
  std::istringstream rows(run.done.folder().content("out/links.csv"));
  std::string row;
  for (int i = 0; i < 2; ++i) std::getline(rows, row);
  CHECK(row.substr(row.rfind(',') + 1) == "128");
}

TEST_CASE("flits are not saturated where no packet was created in the window") {
  const traffic_run run("star8.yaml", {{"node[*].burst", "1000000"}});
  CHECK(run.networks[0]["offered_flits_per_cycle"] > 0);
  CHECK_FALSE(run.networks[0]["saturated"].get<bool>());
  CHECK_THAT(run.summary, Catch::Contains("  no packet was created in the window\n"));
}

TEST_CASE("one key alone says where all packets of a terminal go") {
  const auto errors = [](settings values) {
    values.emplace_back("node[*].hot_endpoint", "5");
    values.emplace_back("node[*].hot", "node[3]");
    return heddle_run(project_file("yaml/star8.yaml"), values).result().errors;
  };
  CHECK(errors({{"params.pattern", "all2one"}}) ==
        "--set node[*].hot_endpoint: node[0]: `hot` already says where all goes\n");
  CHECK(errors({{"params.pattern", "uniform"}}).empty());
}

TEST_CASE("a network that takes less than it is offered is saturated") {
  const traffic_run mesh("mesh_traffic.yaml", {{"params.rate", "0.9"}});
  CHECK(mesh.networks[0]["saturated"].get<bool>());
  // Packets wait in their sources.
  CHECK(2 * mesh.networks[0]["network_latency_s"].get<double>() <
        mesh.networks[0]["latency_s"].get<double>());
  CHECK(mesh.networks[0]["accepted_flits_per_cycle"].get<double>() < 0.85);
  CHECK_THAT(mesh.summary, Catch::Contains("  saturated\n"));
  const traffic_run star("star8.yaml", {{"params.pattern", "all2one"}});
  CHECK(star.networks[0]["saturated"].get<bool>());
  // The hot node takes a flit a cycle at most, an eighth for each node.
  CHECK(star.networks[0]["accepted_flits_per_cycle"].get<double>() <= 0.125);
}

TEST_CASE("nothing is said to be saturated where terminals measure in different windows") {
  const auto check = [](const std::string& netlist, const settings& values, const char* rows,
                        const char* unit) {
    const heddle_run run(project_file("yaml/" + netlist), values);
    REQUIRE(run.result().exited_with(0));
    const nlohmann::json one = run.stats()[rows].at(0);
    INFO(one.dump());
    const auto load = [&](const std::string& which) { return one[which + unit].get<double>(); };
    CHECK(load("accepted_") <= load("offered_"));
    CHECK(load("accepted_") > 0.75 * load("offered_"));
    CHECK_FALSE(one["saturated"].get<bool>());
    CHECK_THAT(run.folder().content("out/summary.txt"), Catch::Contains("  windows differ\n"));
  };
  const settings half = {{"node[0..31].measure", "3 us"}}, late = {{"node[3].warmup", "26 us"}};
  check("mesh_traffic.yaml", half, "traffic", "flits_per_cycle");
  check("star8.yaml", {{"node[3].measure", "3 us"}}, "traffic", "flits_per_cycle");
  check("packet_traffic.yaml", {{"node[3].measure", "3 us"}}, "packet_traffic", "Bps");
  check("packet_traffic.yaml", late, "packet_traffic", "Bps");
}

TEST_CASE("terminals of flits that only send are not saturated while others take all") {
  const scratch_folder folder;
  const auto sends = [&](const std::string& keys) {
    const std::string netlist =
        folder.write("two_groups.yaml",
                     "heddle: 1\n"
                     "name: two_groups\n"
                     "units:\n"
                     "  hub: {type: flit_switch, ports: 4}\n"
                     "  from: {array: 2, type: flit_traffic, " +
                         keys +
                         "}\n"
                         "  to: {array: 2, type: flit_traffic, rate: 0}\n"
                         "links:\n"
                         "  - {for: {i: 2}, between: [\"from[i].port\", \"hub.port[i]\"]}\n"
                         "  - {for: {i: 2}, between: [\"to[i].port\", \"hub.port[i + 2]\"]}\n");
    const heddle_run run(netlist, {});
    INFO(run.report());
    REQUIRE(run.result().exited_with(0));
    return run.stats()["traffic"];
  };
  const nlohmann::json calm = sends("rate: 0.1, pattern: hotspot, hot: 'to[*]', hot_share: 1");
  CHECK(calm[0]["accepted_flits_per_cycle"] == 0.0);
  CHECK_FALSE(calm[0]["saturated"].get<bool>());
  CHECK_FALSE(calm[1]["saturated"].get<bool>());
  const nlohmann::json full = sends("rate: 0.9, pattern: all2one, hot: 'to[0]'");
  CHECK(full[0]["saturated"].get<bool>());
}

TEST_CASE("nodes of a mesh that only send are not saturated while others take all") {
  const scratch_folder folder;
  const std::string netlist = folder.write(
      "two_nodes.yaml",
      "heddle: 1\n"
      "name: two_nodes\n"
      "units:\n"
      "  router: {array: 2, type: mesh_router, x: \"${i}\"}\n"
      "  from: {type: mesh_traffic, x: 0, width: 2, height: 1, pattern: bit_complement}\n"
      "  to: {type: mesh_traffic, x: 1, width: 2, height: 1, rate: 0}\n"
      "links:\n"
      "  - {between: [\"from.port\", \"router[0].local\"]}\n"
      "  - {between: [\"to.port\", \"router[1].local\"]}\n"
      "  - {between: [\"router[0].east\", \"router[1].west\"]}\n");
  const heddle_run run(netlist, {});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const nlohmann::json nodes = run.stats()["traffic"];
  CHECK(nodes[1]["accepted_flits_per_cycle"].get<double>() == Approx(0.1).epsilon(0.05));
  CHECK_FALSE(nodes[0]["saturated"].get<bool>());
}

TEST_CASE("each of several networks has its row") {
  const traffic_run run("mesh_links.yaml");
  REQUIRE(run.networks.size() == 3);
  for (const char* each : {"wide_node[*]", "req_node[*]", "rsp_node[*]"})
    CHECK_THAT(run.summary, Catch::Contains(each));
}

TEST_CASE("little traffic below its offer by chance does not saturate") {
  const std::string seed = GENERATE("1", "2", "3", "4");
  const traffic_run run("star8.yaml", {{"node[*].measure", "300 ns"}, {"seed", seed}});
  CHECK_FALSE(run.networks[0]["saturated"].get<bool>());
}

// It takes what it is offered within what chance allows, and yet queues grow all the time.
TEST_CASE("a network whose latency grows is saturated") {
  const traffic_run run(
      "star8.yaml",
      {{"params.rate", "0.625"}, {"node[*].warmup", "1 us"}, {"node[*].measure", "20 us"}});
  CHECK(run.networks[0]["saturated"].get<bool>());
  const traffic_run calm("star8.yaml", {{"params.rate", "0.55"}});
  CHECK_FALSE(calm.networks[0]["saturated"].get<bool>());
}

TEST_CASE("traffic that is not drained ends with its cooldown") {
  const auto simulated = [](const std::string& drain) {
    const traffic_run run("star8.yaml", {{"params.pattern", "all2one"},
                                         {"node[*].drain", drain},
                                         {"node[*].warmup", "1 us"},
                                         {"node[*].measure", "4 us"},
                                         {"node[*].cooldown", "500 ns"}});
    return run.done.stats()["simulated_s"].get<double>();
  };
  CHECK(simulated("false") == Approx(5.5e-6));
  // A flit a cycle for 8 terminals that offer 0.4 each.
  CHECK(simulated("true") > 15e-6);
}

TEST_CASE("butterflies and tori deliver what they are offered") {
  const std::string netlist = GENERATE("butterfly_traffic.yaml", "torus_traffic.yaml");
  const traffic_run run(netlist);
  const nlohmann::json& one = run.networks.at(0);
  CHECK(one["terminals"] == 64);
  CHECK(one["accepted_flits_per_cycle"].get<double>() ==
        Approx(one["offered_flits_per_cycle"].get<double>()).epsilon(0.02));
}

// One hop in each dimension cannot close a circle, so one virtual channel is enough.
TEST_CASE("the full rows of a HyperX of flit switches need one virtual channel") {
  const std::string sides = GENERATE("[3]", "[5]", "[4, 3]");
  const scratch_folder folder;
  const std::string netlist =
      folder.write("full_rows.yaml",
                   "heddle: 1\n"
                   "name: full_rows\n"
                   "topology:\n"
                   "  kind: hyperx\n"
                   "  sides: " +
                       sides +
                       "\n"
                       "  hosts: 2\n"
                       "  names: {host: node}\n"
                       "  switch: {type: flit_switch}\n"
                       "  host: {type: flit_traffic, rate: 0.2, measure: 5 us}\n"
                       "routing: {policy: dimension_order, sides: " +
                       sides + ", switches: 'switch*'}\n");
  const heddle_run run(netlist, {});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const nlohmann::json one = run.stats()["traffic"].at(0);
  CHECK(one["accepted_flits_per_cycle"].get<double>() ==
        Approx(one["offered_flits_per_cycle"].get<double>()).epsilon(0.03));
  CHECK_FALSE(one["saturated"].get<bool>());
}

// Three tiers of switches with four ports each. With the same digit of a terminal's number at every
// tier, half of the cores would have nothing to do.
TEST_CASE("flits spread over the equal ways of a fat tree, one for each terminal") {
  const heddle_run run = run_flit_network(
      "  kind: fat_tree\n"
      "  arity: 4\n"
      "  link: {vcs: 4}\n"
      "  host: {type: flit_traffic, rate: 0.3, measure: 5 us}\n");
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const nlohmann::json stats = run.stats();
  const nlohmann::json& one = stats["traffic"].at(0);
  CHECK(one["accepted_flits_per_cycle"].get<double>() ==
        Approx(one["offered_flits_per_cycle"].get<double>()).epsilon(0.03));
  std::vector<double> flits;
  for (int i = 0; i < 4; ++i)
    flits.push_back(stats["units"].at("core[" + std::to_string(i) + "]")["flits"]["value"]);
  CHECK(*std::min_element(flits.begin(), flits.end()) >
        0.8 * *std::max_element(flits.begin(), flits.end()));
}

TEST_CASE("parallel links that the routes of a grid leave idle are told") {
  const heddle_run run = run_flit_network(
      "  kind: torus\n"
      "  sides: [4]\n"
      "  parallel: 2\n"
      "  link: {vcs: 2}\n"
      "  host: {type: flit_traffic, measure: 1 us}\n");
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  CHECK_THAT(run.result().errors, Catch::Contains("warning: 8 ports of switches in a grid carry "
                                                  "nothing") &&
                                      Catch::Contains("of parallel links the first is used"));
}

// More than 8 ports, or 64 virtual channels: several words of requests.
TEST_CASE("a large switch takes as long as a small one") {
  const traffic_run run("star8.yaml", {{"params.nodes", "24"}, {"params.vcs", "16"}});
  const nlohmann::json& one = run.networks.at(0);
  CHECK(one["min_network_latency_s"].get<double>() == Approx(15e-9));
  CHECK(one["accepted_flits_per_cycle"].get<double>() == Approx(0.4).epsilon(0.03));
}

TEST_CASE("a run without synthetic traffic has no such results") {
  const heddle_run done(project_file("yaml/mesh_tiles.yaml"), {{"workload.bytes", "1 KiB"}});
  REQUIRE(done.result().exited_with(0));
  CHECK_FALSE(done.stats().contains("traffic"));
}

TEST_CASE("packets at a switch: load, latency and percentiles of all terminals") {
  const traffic_run run("packet_traffic.yaml");
  const nlohmann::json one = run.done.stats()["packet_traffic"].at(0);
  const nlohmann::json units = run.done.stats()["units"];
  CHECK(one["network"] == "node[*]");
  CHECK(one["terminals"] == 8);
  CHECK(one["offered_Bps"].get<double>() == Approx(8 * 0.5 * 112.5e9));
  CHECK(one["accepted_Bps"].get<double>() == Approx(sum_over_nodes(units, "window_bytes") / 20e-6));
  const double measured = sum_over_nodes(units, "measured");
  CHECK(one["packets"].get<double>() == measured);
  CHECK(one["latency_s"].get<double>() == Approx(sum_over_nodes(units, "latency") / measured));
  CHECK(one["network_latency_s"].get<double>() ==
        Approx(sum_over_nodes(units, "network_latency") / measured));
  CHECK(one["window_s"].get<double>() == Approx(20e-6));
  CHECK(one["offered_share"].get<double>() == Approx(0.5));
  CHECK(one["accepted_share"].get<double>() ==
        Approx(one["accepted_Bps"].get<double>() / (8 * 112.5e9)));
  CHECK_FALSE(one["closed_loop"].get<bool>());
  // Two links of 250 ns, 100 ns in the switch, 256 B at 112.5 GB/s.
  CHECK(one["min_network_latency_s"].get<double>() == Approx(600e-9 + 256 / 112.5e9));
  CHECK(one["latency_50_s"].get<double>() <= one["latency_99_s"].get<double>());
  CHECK(one["latency_99_s"].get<double>() <= one["max_latency_s"].get<double>());
  CHECK(sum_over_nodes(units, "packets_sent") == sum_over_nodes(units, "packets_received"));
  CHECK(sum_over_nodes(units, "bytes_sent") == 256 * sum_over_nodes(units, "packets_sent"));
  CHECK_FALSE(one["saturated"].get<bool>());
  CHECK_THAT(run.summary, Catch::Contains("node[*]      8    450 GB/s   50.0 %"));
}

TEST_CASE("packets beyond what a port takes are saturated") {
  const traffic_run run("packet_traffic.yaml", {{"params.pattern", "all2one"}});
  const nlohmann::json one = run.done.stats()["packet_traffic"].at(0);
  CHECK(one["saturated"].get<bool>());
  CHECK(one["accepted_Bps"].get<double>() == Approx(112.5e9).epsilon(0.01));
  CHECK(one["network_latency_s"].get<double>() < one["latency_s"].get<double>());
}

// The switch passes heads of 64 KiB on after 350 ns, and nothing happens later: what is still on
// the wires takes 65 us.
TEST_CASE(
    "no link has been busy for longer than the run, also where packets are on it at the end") {
  const scratch_folder folder;
  const std::string trace = folder.write("ring.csv",
                                         "time,from,to,packets\n"
                                         "0 ns,node[0],node[1],1\n0 ns,node[1],node[2],1\n"
                                         "0 ns,node[2],node[3],1\n0 ns,node[3],node[0],1\n");
  const std::string netlist =
      folder.write("long_packets.yaml",
                   "heddle: 1\n"
                   "name: long_packets\n"
                   "units:\n"
                   "  hub: {type: switch, ports: 4}\n"
                   "  node: {array: 4, type: packet_traffic, packet_bytes: 64 KiB,\n"
                   "         trace: " +
                       trace +
                       ",\n"
                       "         warmup: 0 s, measure: 100 ns, cooldown: 0 s}\n"
                       "links:\n"
                       "  - {for: {i: 4}, between: [\"node[i].port\", \"hub.port[i]\"],\n"
                       "     bandwidth: 1 GB/s, latency: 250 ns}\n");
  const heddle_run run(netlist, {});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const double simulated = run.stats()["simulated_s"].get<double>();
  CHECK(simulated == Approx(350e-9));
  std::istringstream rows(run.folder().content("out/links.csv"));
  std::string row;
  std::getline(rows, row);
  int busy_links = 0;
  while (std::getline(rows, row)) {
    INFO(row);
    std::vector<std::string> fields;
    std::istringstream of_row(row);
    for (std::string field; std::getline(of_row, field, ',');) fields.push_back(field);
    const double busy = std::stod(fields.at(7)), utilization = std::stod(fields.at(8));
    CHECK(utilization <= 1);
    CHECK(utilization == Approx(busy / simulated).margin(1e-6));
    const bool is_first = row.rfind("node", 0) == 0;
    CHECK(busy == Approx(is_first ? 350e-9 : 0));
    ++busy_links;
  }
  CHECK(busy_links == 8);
}
