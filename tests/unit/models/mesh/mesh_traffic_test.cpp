// Patterns and traces that name terminals of a mesh: who gets how much, exactly or by its share.
#include "models/mesh/traffic/mesh_traffic.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/run/traffic_summary.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

using overrides = std::vector<netlist_override>;

constexpr fs_t ns = fs_per_ns;

// A mesh of 4 x 4, in which a packet takes 2 cycles and 5 for each router at the least.
struct loaded_mesh {
  explicit loaded_mesh(overrides values, const std::string& netlist = "mesh_traffic.yaml")
      : plan(plan_netlist(netlist, with_size(std::move(values)))),
        sim(plan.settings),
        system(plan, sim) {}

  static overrides with_size(overrides values) {
    values.insert(values.begin(), {{"params.width", "4"}, {"params.height", "4"}});
    return values;
  }
  static void run() { sc_core::sc_start(); }
  const mesh_traffic_counters& of(const std::string& path) const {
    for (const unit* each : sim.units())
      if (each->path() == path) return dynamic_cast<const mesh_traffic&>(*each).count();
    throw user_error("no " + path);
  }
  const mesh_traffic_counters& node(int i) const { return of("node[" + std::to_string(i) + "]"); }
  std::vector<std::uint64_t> all(const statistic arrival_counters::*counter) const {
    std::vector<std::uint64_t> values;
    for (int i = 0; i < 16; ++i) values.push_back((node(i).*counter).raw());
    return values;
  }

  netlist_plan plan;
  simulation sim;
  built_system system;
};

std::uint64_t sum_of(const std::vector<std::uint64_t>& all) {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : all) sum += each;
  return sum;
}

std::string mistake(const overrides& values, const std::string& netlist = "mesh_traffic.yaml") {
  try {
    loaded_mesh mesh(values, netlist);
  } catch (const user_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("hot nodes of a mesh get their share beside that of all") {
  loaded_mesh mesh(overrides{{"params.pattern", "hotspot"},
                             {"node[*].hot", "'node[5]:3, node[10]'"},
                             {"node[*].hot_share", "0.4"},
                             {"params.rate", "0.05"},
                             {"node[*].measure", "200 us"}});
  mesh.run();
  const auto received = mesh.all(&arrival_counters::flits_received);
  const auto total = static_cast<double>(sum_of(received));
  CHECK(total == static_cast<double>(sum_of(mesh.all(&arrival_counters::flits_sent))));
  const double of_all = 0.6 / 16;
  CHECK(static_cast<double>(received[5]) / total == Approx(0.3 + of_all).epsilon(0.02));
  CHECK(static_cast<double>(received[10]) / total == Approx(0.1 + of_all).epsilon(0.02));
  for (const std::size_t other : {0, 4, 6, 15})
    CHECK(static_cast<double>(received[other]) / total == Approx(of_all).epsilon(0.05));
}

TEST_CASE("in a permutation each node of a mesh gets what one other sends") {
  loaded_mesh mesh(overrides{{"params.pattern", "permutation"}});
  mesh.run();
  auto sent = mesh.all(&arrival_counters::packets_sent);
  auto received = mesh.all(&arrival_counters::packets_received);
  std::sort(sent.begin(), sent.end());
  std::sort(received.begin(), received.end());
  CHECK(sent.front() > 1000);
  CHECK(sent == received);
}

TEST_CASE("a table says which nodes of a mesh send to whom") {
  const scratch_folder folder;
  const std::string file =
      folder.write("t.csv", "from,to,weight\nnode[0],node[15],1\nnode[3..4],node[1],1\n");
  loaded_mesh mesh(overrides{{"params.pattern", "table"}, {"node[*].table", file}});
  mesh.run();
  const auto sent = mesh.all(&arrival_counters::packets_sent);
  const auto received = mesh.all(&arrival_counters::packets_received);
  CHECK(sent[0] > 1000);
  CHECK(received[15] == sent[0]);
  CHECK(received[1] == sent[3] + sent[4]);
  CHECK(sum_of(sent) == sent[0] + sent[3] + sent[4]);
}

// Cycles of 1 ns: what is due after the start of the last one would be created in the next.
TEST_CASE("a trace that goes on after the last cycle of creation is refused, not cut") {
  const scratch_folder folder;
  const auto mistake_at = [&](const std::string& time) {
    const std::string file = folder.write("t.csv", "time,from,to\n" + time + ",node[0],node[1]\n");
    return mistake({{"node[*].trace", file},
                    {"node[*].warmup", "0 s"},
                    {"node[*].measure", "10 ns"},
                    {"node[*].cooldown", "0 s"}});
  };
  CHECK_THAT(mistake_at("9.5 ns"),
             Catch::Contains("t.csv:2:1: at 9.5 ns node[0] creates no packets any more: `warmup`, "
                             "`measure` and `cooldown` end at 10 ns, and their last cycle begins "
                             "at 9 ns"));
  CHECK_THAT(mistake_at("10 ns"), Catch::EndsWith("end at 10 ns"));
}

TEST_CASE("packets of a trace are created in the cycle that begins next, the last one, too") {
  const scratch_folder folder;
  const std::string file = folder.write("t.csv",
                                        "time,from,to\n"
                                        "4.5 ns,node[0],node[1]\n"
                                        "5 ns,node[0],node[1]\n"
                                        "14.5 ns,node[1],node[0]\n"
                                        "19 ns,node[0],node[1]\n");
  loaded_mesh mesh(overrides{{"node[*].trace", file},
                             {"node[*].warmup", "5 ns"},
                             {"node[*].measure", "10 ns"},
                             {"node[*].cooldown", "5 ns"}});
  mesh.run();
  CHECK(mesh.node(0).packets_sent.raw() == 3);
  CHECK(mesh.node(1).measured.raw() == 2);
  CHECK(mesh.node(0).measured.raw() == 0);  // created at 15 ns
  const auto& terminals = mesh.sim.service<traffic_directory>().terminals;
  CHECK(terminals.at(0).offered == Approx(2.0 / 10));
  CHECK(terminals.at(1).offered == 0);
}

TEST_CASE("a trace says which packets of a mesh are created when") {
  const scratch_folder folder;
  const std::string file = folder.write("t.csv",
                                        "time,from,to,packets\n"
                                        "6 us,node[0],node[2],1\n"
                                        "6.5 us,node[15],node[2],2\n"
                                        "26 us,node[0],node[1],1\n");
  loaded_mesh mesh(overrides{{"node[*].trace", file}});
  mesh.run();
  CHECK(mesh.node(0).packets_sent.raw() == 2);
  CHECK(mesh.node(1).packets_received.raw() == 1);
  CHECK(mesh.node(1).measured.raw() == 0);  // created behind the window
  const mesh_traffic_counters& end = mesh.node(2);
  CHECK(end.measured.raw() == 3);
  CHECK(end.min_network_latency.raw() == (2 + 5 * 3) * ns);  // three routers
  // From node 15 it is five, and the second packet waits for the first.
  CHECK(end.latency.raw() == ((2 + 5 * 3) + (2 + 5 * 5) + (1 + 2 + 5 * 5)) * ns);
  const traffic_summary summary =
      summarize(mesh.sim.service<traffic_directory>(), {now_fs(), false}).at(0);
  CHECK(summary.offered == Approx(3.0 / 20'000 / 16));
}

TEST_CASE("a terminal counts with the sides of its mesh, or all with the same smaller ones") {
  const auto is_refused = [](const overrides& values, const std::string& text) {
    const std::string said = mistake(values);
    INFO(said);
    CHECK(said.find(text) != std::string::npos);
  };
  const std::string wide =
      "node[0]: its traffic is for a mesh of 5 x 4, but it stands in one of "
      "4 x 4 (with --set node[";
  is_refused({{"node[*].width", "5"}}, wide + "*].width)");
  is_refused({{"node[0].width", "5"}}, wide + "0].width)");
  is_refused({{"node[2].height", "2"}, {"params.pattern", "permutation"}},
             "node[2]: its traffic is for a mesh of 4 x 2, but it stands in one of 4 x 4");
}

TEST_CASE("a terminal of a mesh knows those of its own mesh") {
  CHECK(mistake(overrides{{"params.pattern", "hotspot"}}).find("needs `hot`") != std::string::npos);
  CHECK(mistake(overrides{{"params.pattern", "table"}}).find("needs `table`") != std::string::npos);
  CHECK(mistake({{"params.pattern", "hotspot"}, {"node[*].hot", "'nod[1]'"}})
            .find("no terminal of such traffic is called 'nod[1]' (did you mean 'node[1]'?)") !=
        std::string::npos);
  CHECK(mistake({{"params.pattern", "hotspot"}, {"*_node[*].hot", "'wide_node[1]'"}},
                "mesh_links.yaml")
            .find("no terminal of such traffic is called 'wide_node[1]' (did you mean "
                  "'req_node[1]'?)") != std::string::npos);
}
