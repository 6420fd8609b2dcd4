// How evenly the uplinks of a leaf-spine are used, two leaves of four hosts and four spines: by
// which spreading key a permutation and an all-reduce load them alike, and by which they cannot.
//
//   destination, owner  alike where as many flows as uplinks leave each rack. With fewer flows one
//                       uplink or more idles, because a flow keeps to one path; the run says so.
//   address             alike for transfers of many blocks, whatever the pattern
//   packet, adaptive    alike for any traffic that may be reordered
//   flow                never promised: a hash puts several flows on one uplink (ECMP)
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string leaf_spine = R"(
heddle: 1
name: uplinks
params: {spread: destination, order: kept, pattern: permutation, load: 1, measure: 20 us}
routing: {spread: "${spread}"}
topology:
  kind: leaf_spine
  leaves: 2
  hosts: 4
  spines: 4
  host: {type: packet_traffic, pattern: "${pattern}", order: "${order}", load: "${load}",
         packet_bytes: 200 B, warmup: 0 ns, measure: "${measure}", cooldown: 0 ns}
  switch: {forwarding: 20 ns}
  link: {bandwidth: 100 GB/s, latency: 10 ns}
)";

struct uplink_loads {
  int links = 0;
  double least = 1e30, most = 0;  // wire bytes
  double ratio() const { return least / most; }
};

// Of the links from leaves to spines.
uplink_loads loads_of(const heddle_run& run) {
  std::istringstream lines(run.folder().content("out/links.csv"));
  uplink_loads loads;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    if (fields.at(0).rfind("leaf", 0) != 0 || fields.at(1).rfind("spine", 0) != 0) continue;
    ++loads.links;
    loads.least = std::min(loads.least, std::stod(fields.at(5)));
    loads.most = std::max(loads.most, std::stod(fields.at(5)));
  }
  REQUIRE(loads.links == 8);
  return loads;
}

struct traffic_figures {
  std::uint64_t sent = 0, received = 0, reordered = 0;
};

traffic_figures figures_of(const heddle_run& run) {
  traffic_figures sum;
  const nlohmann::json units = run.stats()["units"];
  for (int host = 0; host < 8; ++host) {
    const nlohmann::json& of = units["host[" + std::to_string(host) + "]"];
    sum.sent += of["packets_sent"]["value"].get<std::uint64_t>();
    sum.received += of["packets_received"]["value"].get<std::uint64_t>();
    sum.reordered += of["reordered"]["value"].get<std::uint64_t>();
  }
  return sum;
}

struct spine_run : heddle_run {
  explicit spine_run(const settings& values, const scratch_folder& folder = {})
      : heddle_run(folder.write("uplinks.yaml", leaf_spine), values) {
    INFO(report());
    REQUIRE(result().exited_with(0));
  }
  std::string summary() const { return folder().content("out/summary.txt"); }
};

}  // namespace

TEST_CASE("a permutation that leaves its racks loads all uplinks alike, by destination") {
  // The permutation of this seed sends every host's packets to the other leaf.
  const spine_run run(settings{{"seed", "7"}});
  const traffic_figures traffic = figures_of(run);
  CHECK(traffic.received == traffic.sent);
  CHECK(traffic.reordered == 0);
  CHECK(loads_of(run).ratio() > 0.99);
}

TEST_CASE("any permutation loads all uplinks alike, packet by packet") {
  for (const char* spread : {"packet", "adaptive"})
    for (const char* seed : {"1", "2", "3"}) {
      INFO(spread << ", seed " << seed);
      const spine_run run(
          settings{{"params.spread", spread}, {"params.order", "free"}, {"seed", seed}});
      CHECK(loads_of(run).ratio() > 0.99);
      CHECK_THAT(run.summary(), !Catch::Contains("idled"));
    }
}

TEST_CASE("fewer flows than uplinks leave some idle, and the run says which") {
  const spine_run run(settings{{"seed", "1"}});  // three hosts of each leaf send to the other one
  CHECK(loads_of(run).least == 0);
  CHECK_THAT(run.summary(),
             Catch::Contains("1 of 4 equal paths from leaf[0] idled: over spine[0]\n"));
}

TEST_CASE("ECMP by flow keeps the order of every flow, where packets that are sprayed lose it") {
  const settings busy = {{"params.pattern", "uniform"}, {"params.load", "0.7"}};
  settings by_flow = busy, by_packet = busy;
  by_flow.emplace_back("params.spread", "flow");  // `order: kept` fails the run otherwise
  by_packet.emplace_back("params.spread", "packet");
  by_packet.emplace_back("params.order", "free");
  const traffic_figures kept = figures_of(spine_run(by_flow));
  CHECK(kept.sent > 20'000);
  CHECK(kept.received == kept.sent);
  CHECK(kept.reordered == 0);
  CHECK(figures_of(spine_run(by_packet)).reordered > 100);
}

TEST_CASE("a direct all-reduce loads all uplinks alike, but not by flow") {
  for (const char* spread : {"destination", "owner", "address", "flow"}) {
    INFO(spread);
    const heddle_run run(project_file("yaml/leaf_spine.yaml"),
                         {{"workload.algorithm", "direct"},
                          {"workload.bytes", "512 KiB"},
                          {"routing", std::string("{spread: ") + spread + "}"}});
    INFO(run.report());
    REQUIRE(run.is_verified());
    const double ratio = loads_of(run).ratio();
    if (std::string(spread) == "flow")
      CHECK(ratio < 0.5);
    else
      CHECK(ratio > 0.99);
  }
}
