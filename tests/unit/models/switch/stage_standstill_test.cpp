// What the fabric tells of receive buffers where stages keep packets in them.
#include <catch2/catch.hpp>

#include "models/switch/switch.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"
#include "tests/unit/models/switch/toy_stage.hpp"

using namespace heddle;
using Catch::Contains;

namespace {

constexpr std::uint32_t packet_bytes = 1000;

// from - leaf - hub - to, links of 1 B/ps and 1 ns, switches of 100 ns. The stage of the hub takes
// what is addressed to `to`.
struct staged_chain : test_bench {
  packet_switch& leaf = add<packet_switch>("leaf");
  packet_switch& hub = add<packet_switch>("hub");
  packet_endpoint& from = add_stimulus<packet_endpoint>("from");
  packet_endpoint& to = add_stimulus<packet_endpoint>("to");
  toy_stage* toy = nullptr;

  staged_chain(const char* place, std::uint64_t buffer) {
    toy = &add<toy_stage>("toy", [place](toy_parameters& p) {
      p.place.load(parse_yaml_text(place, "test.yaml"));
      p.latency.set({7 * fs_per_ns});
    });
    toy->wanted = to.id;
    bind(*toy, "switch", hub, "inc");
    join(from, "port", leaf, "port[0]", buffer);
    join(leaf, "port[1]", hub, "port[0]", buffer);
    join(hub, "port[1]", to, "port", buffer);
    sim.service<fabric>().expect_packets_of(packet_bytes);
  }

  void join(unit& a, const char* port_a, unit& b, const char* port_b, std::uint64_t buffer) {
    link(a, port_a, b, port_b, [buffer](link_parameters& p) {
      p.rate.set(bandwidth(1'000'000'000'000));
      p.latency.set({fs_per_ns});
      p.buffer.set({buffer});
    });
  }
  void send(std::uint32_t packets) {
    at(0, [this, packets] {
      for (std::uint32_t n = 0; n < packets; ++n) from.send(to.id, packet_bytes, 0, n);
    });
    run();
  }
  std::string standstill() {
    const auto& questions = sim.service<system_findings>().standstills;
    return questions.empty() ? "" : questions.front()();
  }
};

// 1000 B and 2 ns of wire; the hub keeps a packet for 100 ns, and the stage it for 7 ns more.
std::string warnings_with_stage_at(const char* place) {
  staged_chain chain(place, 2048);
  chain.run();
  std::string all;
  for (const std::string& each : chain.sim.service<system_findings>().warnings) all += each + "\n";
  return all;
}

}  // namespace

TEST_CASE("a standstill behind a stage that keeps packets is told") {
  staged_chain chain("ingress", packet_bytes);
  chain.toy->act = [](const stage_visit&, packet&) { return stage_verdict::hold; };
  chain.send(3);
  CHECK(chain.to.arrivals.empty());
  CHECK(chain.standstill() ==
        "standstill: stages keep packets in the buffers behind these links: leaf.port[1] vc 0; for "
        "them wait the packets behind from.port vc 0");
}

TEST_CASE("a stage that lets everything pass leaves no standstill") {
  staged_chain chain("ingress", packet_bytes);
  chain.send(3);
  CHECK(chain.to.arrivals.size() == 3);
  CHECK(chain.standstill().empty());
}

TEST_CASE("the buffer that covers a round trip counts the stage at ingress") {
  const std::string told = warnings_with_stage_at("ingress");
  CHECK_THAT(told, Contains("the links from from.port, hub.port[0] may not be busy all the time: "
                            "their receive buffers hold 2 KiB, and 100.6 KiB would"));
  CHECK_THAT(told, Contains("the links from leaf.port[1], to.port"));
  CHECK_THAT(told, Contains("107.4 KiB would"));
}
TEST_CASE("the buffer that covers a round trip counts the stage at egress") {
  const std::string told = warnings_with_stage_at("egress");
  CHECK_THAT(told, Contains("the links from hub.port[0] may not be"));
  CHECK_THAT(told, Contains("107.4 KiB would"));
}
