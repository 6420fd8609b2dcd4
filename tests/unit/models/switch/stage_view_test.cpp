// What a reader of waves, of the critical path and of a netlist learns of a stage.
#include <catch2/catch.hpp>

#include "models/switch/switch.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_bench.hpp"
#include "tests/unit/models/switch/toy_stage.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

namespace {

HEDDLE_REGISTER_UNIT(toy_stage, describe_unit<toy_stage>("toy_stage", "a stage for tests"));

constexpr fs_t ns = fs_per_ns;
constexpr fs_t stage_latency = 7 * ns;
constexpr std::uint32_t packet_bytes = 1000;

// Links of 1 B/ps and 1 ns; the stage takes a packet in 10 ns.
struct staged_pair : test_bench {
  recording_sink sink;
  packet_switch* hub = nullptr;
  toy_stage* toy = nullptr;
  packet_endpoint* from = nullptr;
  packet_endpoint* to = nullptr;
  std::vector<cause> causes;  // of what arrives

  explicit staged_pair(const char* place) {
    sim.trace().add_sink(sink);
    hub = &add<packet_switch>("hub");
    toy = &add<toy_stage>("toy", [place](toy_parameters& p) {
      p.place.load(parse_yaml_text(place, "test.yaml"));
      p.latency.set({stage_latency});
      p.rate.set(bandwidth(100'000'000'000));
    });
    bind(*toy, "switch", *hub, "inc");
    from = &add_stimulus<packet_endpoint>("from");
    to = &add_stimulus<packet_endpoint>("to");
    const auto configure = [](link_parameters& p) {
      p.rate.set(bandwidth(1'000'000'000'000));
      p.latency.set({ns});
    };
    link(*from, "port", *hub, "port[0]", configure);
    link(*to, "port", *hub, "port[1]", configure);
    toy->wanted = to->id;
    to->on_arrival = [this](packet& p) { causes.push_back(p.why); };
    at(0, [this] {
      for (int i = 0; i < 2; ++i) {
        packet& p = *take_packet();
        p.kind = packet_kind::read_request;
        p.source = from->id;
        p.destination = to->id;
        p.wire_bytes = packet_bytes;
        p.explain(cause::start(from->site(), 0));
        from->send(p);
      }
    });
  }

  std::vector<std::string> changes(const std::string& leaf) const {
    std::vector<std::string> found;
    for (const std::string& line : sink.lines)
      if (line.find(" " + leaf + "=") != std::string::npos) found.push_back(line);
    return found;
  }
};

void check_path(const char* place) {
  staged_pair pair(place);
  pair.run();
  REQUIRE(pair.causes.size() == 2);
  const cause& first = pair.causes[0];
  CHECK(first.spent(category::propagation, 0) == 2 * ns);
  CHECK(first.spent(category::forwarding, 0) == 100 * ns + stage_latency);
  CHECK(first.spent(category::queueing, 0) == 0);
  CHECK(first.when() == 109 * ns);
  // The second is 1 ns behind the first on the wire and 10 ns in the stage.
  const cause& second = pair.causes[1];
  CHECK(second.when() == 119 * ns);
  CHECK(second.spent(category::forwarding, 0) == 100 * ns + stage_latency);
  CHECK(second.spent(category::queueing, 0) + second.spent(category::serialization, 0) == 10 * ns);
}

std::string refusal(const std::string& at) {
  const scratch_folder folder;
  const std::string file = folder.write("net.yaml",
                                        "heddle: 1\n"
                                        "name: staged\n"
                                        "units:\n"
                                        "  hub: {type: switch, ports: 4, pipes: 2}\n"
                                        "  toy: {type: toy_stage, " +
                                            at +
                                            "}\n"
                                            "binds:\n"
                                            "  - {from: toy.switch, to: hub.inc}\n");
  const netlist_plan plan = plan_netlist(file, {});
  simulation sim(plan.settings);
  try {
    const built_system system(plan, sim);
  } catch (const user_error& error) {
    return std::string(error.what()).substr(folder.path().size() + 1);
  }
  return {};
}

}  // namespace

TEST_CASE("the critical path tells the time in a stage at ingress") {
  check_path("ingress");
}
TEST_CASE("the critical path tells the time in a stage of the middle") {
  check_path("middle");
}
TEST_CASE("the critical path tells the time in a stage at egress") {
  check_path("egress");
}

TEST_CASE("waves show what is in the line of a stage") {
  staged_pair pair("ingress");
  pair.run();
  pair.sim.trace().finish(fs_per_us);
  // The first comes at 1 ns and leaves 7 ns later; the second comes at 2 ns, and begins to enter
  // when the first has, at 11 ns.
  CHECK(pair.changes("depth_0") ==
        std::vector<std::string>{"1000000 depth_0=1", "2000000 depth_0=2", "8000000 depth_0=1",
                                 "18000000 depth_0=0"});
  CHECK(pair.changes("activity_0") ==
        std::vector<std::string>{"1000000 activity_0=1", "18000000 activity_0=0"});
  CHECK(pair.changes("depth_1").empty());
}

TEST_CASE("a port that is not there is refused at its line of the netlist") {
  CHECK(refusal("at: \"0, 4\"") ==
        "net.yaml:7:12: hub has 4 ports, numbered from 0: there is no port 4 for a stage");
}
TEST_CASE("a pipe that is not there is refused at its line of the netlist") {
  CHECK(refusal("place: middle, at: \"1..2\"") ==
        "net.yaml:7:12: hub has 2 pipes, numbered from 0: there is no pipe 2 for a stage");
}
TEST_CASE("a list of ports that nobody can read is refused at its line of the netlist") {
  CHECK(refusal("at: some") ==
        "net.yaml:5:30: at: expected \"all\" or numbers and ranges such as \"0..3, 6\", got "
        "\"some\"");
}
