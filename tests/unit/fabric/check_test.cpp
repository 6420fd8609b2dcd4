// What the fabric refuses before a run.
#include <catch2/catch.hpp>

#include "models/traffic/packet_traffic.hpp"
#include "tests/support/memory_member.hpp"
#include "tests/unit/fabric/routed_graph.hpp"

using namespace heddle;
using Catch::Contains;

namespace {

struct ring_of_eight : routed_graph {
  explicit ring_of_eight(std::uint64_t vcs = 4) {
    add_switches("sw", 8);
    for (std::size_t at = 0; at < 8; ++at) add_end(at);
    for (std::size_t at = 0; at < 8; ++at) join(at, (at + 1) % 8, 1, vcs);
  }
};

struct torus : routed_graph {
  torus() {
    add_switches("sw", 25);
    for (std::size_t at = 0; at < 25; ++at) add_end(at);
    for (std::size_t y = 0; y < 5; ++y)
      for (std::size_t x = 0; x < 5; ++x) {
        join(5 * y + x, 5 * y + (x + 1) % 5, 1, 4);
        join(5 * y + x, 5 * ((y + 1) % 5) + x, 1, 4);
      }
  }
};

}  // namespace

TEST_CASE("a ring of eight switches with shortest paths can deadlock: the circle is named") {
  ring_of_eight net;
  CHECK_THROWS_WITH(
      net.net().close(),
      Contains("this network can deadlock: each of these channels waits for the next: "
               "sw[0].port[1] -> sw[1].port[2] -> sw[2].port[2] -> sw[3].port[2] -> "
               "sw[4].port[2] -> sw[5].port[2] -> sw[6].port[2] -> sw[7].port[2] -> "
               "sw[0].port[1]; route it by `routing: {policy: up_down}`"));
}

TEST_CASE("the check can be turned off") {
  ring_of_eight net;
  net.route("{check: off}");
  CHECK(net.path(0, 2) == "0 1 2");
}

TEST_CASE("the ring is accepted with up_down") {
  ring_of_eight net;
  CHECK_NOTHROW(net.route("{policy: up_down}"));
}

TEST_CASE("the ring is accepted with datelines") {
  ring_of_eight net;
  CHECK_NOTHROW(net.route("{policy: dimension_order, sides: 8}"));
}

TEST_CASE("a torus without datelines is refused") {
  torus net;
  CHECK_THROWS_WITH(net.route("{policy: dimension_order, sides: [5, 5], datelines: off}"),
                    Contains("this network can deadlock"));
}

TEST_CASE("a torus with datelines is accepted") {
  torus net;
  CHECK_NOTHROW(net.route("{policy: dimension_order, sides: [5, 5]}"));
}

TEST_CASE("too few virtual channels for datelines: the number that would do") {
  ring_of_eight net(2);
  CHECK_THROWS_WITH(net.route("{policy: dimension_order, sides: 8}"),
                    Contains("this routing needs 2 virtual channels for requests and 2 for "
                             "responses, but the link from sw[0].port[1] to sw[1].port[1] has 2 in "
                             "all: set `vcs: 4`"));
}

TEST_CASE("a table that leads in a circle") {
  ring_of_eight net;
  CHECK_THROWS_WITH(net.route("{policy: table, routes: [{at: 'sw[1]', to: 'end[3]', through: "
                              "'port[1]'}, {at: 'sw[0]', to: 'end[3]', through: 'port[1]'}]}"),
                    Contains("routes lead in a circle: sw[0] -> sw[1] -> sw[0]"));
}

TEST_CASE("a table that names nobody") {
  ring_of_eight net;
  CHECK_THROWS_WITH(
      net.route("{policy: table, routes: [{at: 'sw[9]', to: 'end[3]', through: 'port[1]'}]}"),
      "net.yaml:1:26: no switch matches 'sw[9]' (did you mean 'sw[0]'?)");
}

TEST_CASE("a table through a port that leads to no switch") {
  ring_of_eight net;
  CHECK_THROWS_WITH(
      net.route("{policy: table, routes: [{at: 'sw[1]', to: 'end[3]', through: 'port[0]'}]}"),
      Contains("net.yaml:1:26: sw[1].port[0] leads to no switch"));
}

TEST_CASE("switches that do not fit the grid") {
  ring_of_eight net;
  CHECK_THROWS_WITH(net.route("{policy: dimension_order, sides: [2, 3]}"),
                    Contains("sw[6] lies outside the grid: coordinate 0 is 2, the side 2"));
}

TEST_CASE("links that change two coordinates") {
  ring_of_eight net;
  CHECK_THROWS_WITH(net.route("{policy: dimension_order, sides: [2, 4]}"),
                    Contains("changes two coordinates"));
}

TEST_CASE("groups of a dragonfly have one size") {
  ring_of_eight net;
  CHECK_THROWS_WITH(net.route("{policy: dragonfly, groups: 3}"),
                    Contains("8 switches do not make 3 groups of one size"));
}

TEST_CASE("a memory that nobody reaches: both are named, and where the path ends") {
  routed_graph net;
  net.add_switches("sw", 3);
  net.add_end(0);
  net.join(0, 1);
  memory_member& far = net.add_stimulus<memory_member>("far", 1 << 20, 4096);
  net.link(far, "port", *net.switches[2], "port[0]");
  CHECK_THROWS_WITH(net.net().close(), "end[0] cannot reach far: the path ends at sw[0]");
}

TEST_CASE("a memory need not reach an island of synthetic traffic, nor the island it") {
  routed_graph net;
  net.add_switches("sw", 2);
  for (const char* number : {"0", "1"}) {
    const std::string port = std::string("port[") + number + "]";
    const std::uint64_t base = number[0] == '0' ? 0 : 1 << 20;
    memory_member& gpu = net.add_stimulus<memory_member>("gpu[" + port + "]", base, 4096);
    net.link(gpu, "port", *net.switches[0], port);
    packet_traffic& other = net.add<packet_traffic>("other[" + port + "]");
    net.link(other, "port", *net.switches[1], port);
  }
  CHECK_NOTHROW(net.net().close());
}

TEST_CASE("endpoints that serve nobody need not reach each other") {
  routed_graph net;
  net.add_switches("sw", 2);
  net.add_end(0);
  net.add_end(1);
  CHECK_NOTHROW(net.net().close());
}

TEST_CASE("sprayed packets are refused for an endpoint that relies on their order") {
  routed_graph net;
  net.add_switches("sw", 2);
  net.relied_on = packet_order::by_flow;
  net.add_end(0);
  net.join(0, 1);
  CHECK_THROWS_WITH(
      net.route("{spread: packet}"),
      "packets that are spread by `packet` may overtake each other, but end[0] relies "
      "on the order of its packets: spread them by `destination`, `owner` or `flow`");
}
