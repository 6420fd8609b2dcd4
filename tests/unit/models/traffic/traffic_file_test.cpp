// Tables of destinations and traces of packets from files: what is sent to whom and when, exactly,
// and what a mistake in a file is called.
#include "models/traffic/traffic_file.hpp"

#include <catch2/catch.hpp>

#include "models/traffic/destination_table.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/traffic_system.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;

traffic_system star(int nodes, const std::string& keys) {
  return traffic_system(star_netlist(nodes, keys));
}

std::uint64_t received(const traffic_system& system, int node) {
  return system.of("node[" + std::to_string(node) + "]").packets_received.raw();
}

std::string mistake(const std::string& keys, const std::string& text) {
  const scratch_folder folder;
  const std::string file = folder.write("t.csv", text);
  try {
    traffic_system(star_netlist(4, keys + file + "\n")).run();
  } catch (const user_error& e) {
    const std::string what = e.what();
    const std::size_t at = what.find(file);
    return at == std::string::npos ? what : what.substr(at + file.size() - 5);
  }
  return "";
}

}  // namespace

TEST_CASE("a table says who sends to whom") {
  const scratch_folder folder;
  const std::string file = folder.write("t.csv",
                                        "# two rings\nfrom, to, weight\n"
                                        "node[0], node[1], 3\nnode[0], node[2], 1\n\n"
                                        "node[2..3], node[0], 5\n");
  const destination_table table(file);
  CHECK(table.destinations_of("node[0]").text() == "node[1]:3, node[2]");
  CHECK(table.destinations_of("node[1]").globs.empty());
  CHECK(table.destinations_of("node[3]").text() == "node[0]:5");

  traffic_system system =
      star(4, "    pattern: table\n    table: " + file + "\n    load: 0.4\n    measure: 50 us\n");
  system.run();
  CHECK(system.failures().empty());
  CHECK(system.of("node[1]").packets_sent.raw() == 0);
  CHECK(received(system, 3) == 0);
  const auto from_0 = static_cast<double>(system.of("node[0]").packets_sent.raw());
  CHECK(static_cast<double>(received(system, 1)) == Approx(0.75 * from_0).epsilon(0.03));
  CHECK(received(system, 0) ==
        system.of("node[2]").packets_sent.raw() + system.of("node[3]").packets_sent.raw());
}

// A packet takes 2 ns on the wire and 202 ns in all.
TEST_CASE("a trace says which packets are created when") {
  const scratch_folder folder;
  const std::string file = folder.write("t.csv",
                                        "time,from,to,packets\n"
                                        "6 us,node[0],node[2],3\n"
                                        "6.001 us,node[1],node[2],1\n"
                                        "22 us,node[0],node[1],1\n");
  traffic_system system = star(4, "    trace: " + file + "\n");
  system.run();
  CHECK(system.failures().empty());
  CHECK(system.of("node[0]").packets_sent.raw() == 4);
  CHECK(received(system, 2) == 4);
  CHECK(received(system, 1) == 1);
  // Three packets leave one after the other; that of node[1] comes in between, a ns behind the
  // first.
  const packet_traffic_counters& node = system.of("node[2]");
  CHECK(node.min_latency.raw() == 202 * ns);
  CHECK(node.measured.raw() == 4);
  CHECK(node.latency.raw() >= (202 + 203 + 204 + 206) * ns);
  // Of the window, which ends at 21 us: four packets of 200 B in 20 us.
  CHECK(system.summary().at(0).offered == Approx(800 / 20e-6));
}

TEST_CASE("mistakes in files of traffic name their line") {
  const std::string table = "    pattern: table\n    table: ";
  const std::string trace = "    trace: ";
  CHECK(mistake(table, "from,to\nnode[0],nod[1]\n")
            .find("no terminal of such traffic is called "
                  "'nod[1]' (did you mean 'node[1]'?)") != std::string::npos);
  CHECK(mistake(table, "from,to\nnode[0],node[1]\nnod[1],node[0]\n") ==
        "t.csv:3:1: no terminal of such traffic is called 'nod[1]' (did you mean 'node[1]'?)");
  CHECK(mistake(table, "from,to\nnode[8..9],node[0]\n").find("t.csv:2:1: no terminal") == 0);
  CHECK(mistake(table, "") == "t.csv: is empty");
  CHECK(mistake(table, "to,from\n").find("t.csv:1:1: expected the names of the columns") == 0);
  CHECK(mistake(table, "from,to,weight\nnode[0],node[1],0\n") ==
        "t.csv:2:1: weight is '0', outside 1 to 1000000");
  CHECK(mistake(table, "from,to\nnode[0]\n") == "t.csv:2:1: 1 fields, but 2 columns");
  CHECK(mistake(trace, "time,from,to\n1 us,node[0],node[9]\n").find("t.csv:2:1: no terminal") == 0);
  CHECK(mistake(trace, "time,from,to\n12,node[0],node[1]\n").find("t.csv:2:1: time: ") == 0);
  CHECK(mistake(trace, "time,from,to\n2 us,node[0],node[1]\n1 us,node[0],node[1]\n") ==
        "t.csv:3:1: 1 us comes after 2 us, which is later");
  CHECK(mistake(trace, "time,from,to\n1 s,node[0],node[1]\n")
            .find("t.csv:2:1: at 1 s node[0] "
                  "creates no packets") == 0);
  CHECK(mistake(trace, "time,from,to\n1 us,node[0],node[0]\n").find("to itself") !=
        std::string::npos);
  CHECK(mistake("    trace: none", "").find("t.csv") == 0);
}
