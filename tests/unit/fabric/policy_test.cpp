// Exact next hops of each routing policy on small graphs.
#include <catch2/catch.hpp>

#include "tests/unit/fabric/routed_graph.hpp"

using namespace heddle;

namespace {

// Switches in a ring, an endpoint each; port 0 to the endpoint, then up and down.
struct ring : routed_graph {
  explicit ring(int size, std::uint64_t vcs = 4) {
    add_switches("sw", size);
    const auto count = static_cast<std::size_t>(size);
    for (std::size_t at = 0; at < count; ++at) add_end(at);
    for (std::size_t at = 0; at < count; ++at) join(at, (at + 1) % count, 1, vcs);
  }
};

}  // namespace

TEST_CASE("dimension order: the shorter way round a ring") {
  ring net(8);
  net.route("{policy: dimension_order, sides: [8]}");
  CHECK(net.path(0, 3) == "0 1 2 3");
  CHECK(net.path(0, 6) == "0 7 6");
  CHECK(net.path(6, 1) == "6 7 0 1");
}

TEST_CASE("dimension order: half a ring, even switches go up and odd ones down") {
  ring net(8);
  net.route("{policy: dimension_order, sides: [8]}");
  CHECK(net.path(0, 4) == "0 1 2 3 4");
  CHECK(net.path(1, 5) == "1 0 7 6 5");
  CHECK(net.path(6, 2) == "6 7 0 1 2");
}

TEST_CASE("dimension order: behind the dateline the second channel of the class") {
  ring net(8);
  net.route("{policy: dimension_order, sides: [8]}");
  CHECK(net.way(6, 1) ==
        "sw[6].port[2] vc 0, sw[7].port[2] vc 0, sw[0].port[1] vc 1, sw[1].port[0] vc 0");
  CHECK(net.way(1, 3, packet_kind::read_response) ==
        "sw[1].port[2] vc 3, sw[2].port[2] vc 3, sw[3].port[0] vc 1");
}

TEST_CASE("dimension order: the first coordinate first, over a grid of two sides") {
  routed_graph net;
  net.add_switches("sw", 6);  // rows of three
  for (std::size_t at = 0; at < 6; ++at) net.add_end(at);
  for (std::size_t y = 0; y < 2; ++y)
    for (std::size_t x = 0; x < 2; ++x) net.join(3 * y + x, 3 * y + x + 1);
  for (std::size_t x = 0; x < 3; ++x) net.join(x, 3 + x);
  net.route("{policy: dimension_order, sides: [2, 3]}");
  CHECK(net.path(0, 5) == "0 3 4 5");
  CHECK(net.path(5, 0) == "5 2 1 0");
}

TEST_CASE("dimension order: one hop a dimension where all pairs are linked") {
  routed_graph net;
  net.add_switches("sw", 8);  // rows of four
  for (std::size_t at = 0; at < 8; ++at) net.add_end(at);
  for (std::size_t y = 0; y < 2; ++y)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) net.join(4 * y + a, 4 * y + b);
  for (std::size_t x = 0; x < 4; ++x) net.join(x, 4 + x);
  net.route("{policy: dimension_order, sides: [2, 4]}");
  CHECK(net.path(0, 7) == "0 4 7");
  CHECK(net.path(6, 0) == "6 2 0");
}

TEST_CASE("up and down: never up again after down") {
  ring net(6);
  net.route("{policy: up_down, root: 'sw[0]'}");
  CHECK(net.path(2, 4) == "2 1 0 5 4");  // not by 3, the bottom
  CHECK(net.path(1, 5) == "1 0 5");
  CHECK(net.path(1, 3) == "1 2 3");
}

TEST_CASE("up and down: the top of a tree is its root, all of it") {
  routed_graph net;
  net.add_switches("leaf", 2);
  net.add_switches("spine", 2);
  for (std::size_t leaf = 0; leaf < 2; ++leaf)
    for (int host = 0; host < 2; ++host) net.add_end(leaf);
  for (std::size_t leaf = 0; leaf < 2; ++leaf)
    for (std::size_t spine = 2; spine < 4; ++spine) net.join(leaf, spine);
  net.route("{policy: up_down}");
  CHECK(net.path(0, 2) == "0 2 1");
  CHECK(net.path(0, 3) == "0 3 1");
}

TEST_CASE("dragonfly: local, global, local, with a channel of its own for the last") {
  routed_graph net;
  net.add_switches("sw", 6);  // three groups of two
  for (std::size_t at = 0; at < 6; ++at) net.add_end(at);
  for (std::size_t group = 0; group < 3; ++group) net.join(2 * group, 2 * group + 1, 1, 4);
  net.join(1, 2, 1, 4);
  net.join(3, 4, 1, 4);
  net.join(5, 0, 1, 4);
  net.route("{policy: dragonfly, groups: 3}");
  CHECK(net.path(0, 3) == "0 1 2 3");
  CHECK(net.path(0, 1) == "0 1");
  CHECK(net.path(2, 5) == "2 3 4 5");
  CHECK(net.way(0, 3) ==
        "sw[0].port[1] vc 0, sw[1].port[2] vc 0, sw[2].port[1] vc 1, sw[3].port[0] vc 0");
}

TEST_CASE("table: the listed ways, the shortest where none is listed") {
  ring net(4);
  net.route(
      "{policy: table, check: off, routes: [{at: 'sw[0]', to: 'end[1]', through: 'port[2]'}, "
      "{at: 'sw[3]', to: 'end[1]', through: 'port[1]'}]}");
  CHECK(net.path(0, 1) == "0 3 2 1");
  CHECK(net.path(0, 3) == "0 3");
}
