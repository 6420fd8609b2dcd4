// Shortest paths and how packets are spread over equal ones.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/unit/fabric/switch_graph.hpp"

using namespace heddle;

namespace {

// Hosts 0..3 at leaf 0, 4..7 at leaf 1; leaf ports 0..3 to hosts, 4.. to spines.
struct leaf_spine : switch_graph {
  explicit leaf_spine(std::size_t spines, int wires = 1, std::uint64_t first_weight = 1) {
    add_switches("leaf", 2, 16);
    add_switches("spine", static_cast<int>(spines));
    for (std::size_t leaf = 0; leaf < 2; ++leaf)
      for (int host = 0; host < 4; ++host) add_end(leaf);
    for (std::size_t leaf = 0; leaf < 2; ++leaf)
      for (int wire = 0; wire < wires; ++wire)
        for (std::size_t spine = 0; spine < spines; ++spine)
          join(leaf, 2 + spine, spine == 0 ? first_weight : 1);
  }
  void spread_by(spread_key key) {
    routing_choice choice;
    choice.spread = key;
    net().set_routing(choice);
  }
  std::map<int, int> ports_of_permutation(std::size_t shift) {
    std::map<int, int> uses;
    for (std::size_t host = 0; host < 4; ++host) ++uses[port(0, host, 4 + (host + shift) % 4)];
    return uses;
  }
};

const std::map<int, int> each_once = {{4, 1}, {5, 1}, {6, 1}, {7, 1}};

}  // namespace

TEST_CASE("an endpoint at the switch itself is one hop away") {
  leaf_spine net(4);
  CHECK(net.port(0, 0, 3) == 3);
  CHECK(net.port(1, 0, 4) == 0);
}

TEST_CASE("by destination every permutation uses each uplink once") {
  leaf_spine net(4);
  for (std::size_t shift = 0; shift < 4; ++shift)
    CHECK(net.ports_of_permutation(shift) == each_once);
}

TEST_CASE("by owner requests and responses of a pair cross the same spine") {
  leaf_spine net(4);
  net.spread_by(spread_key::owner);
  for (std::size_t owner = 4; owner < 8; ++owner) {
    packet request = net.make(0, owner);
    packet response = net.make(owner, 0, packet_kind::read_response);
    CHECK(net.hop(0, request) == net.hop(1, response));
  }
}

TEST_CASE("by owner both ends of parallel links choose the same wire") {
  leaf_spine net(2, 2);
  net.spread_by(spread_key::owner);
  std::set<int> used;
  for (std::size_t owner = 4; owner < 8; ++owner) {
    packet request = net.make(0, owner);
    const int uplink = net.hop(0, request);
    const port* out = net.switches[0]->find_port("port[" + std::to_string(uplink) + "]");
    const packet_port& far = *dynamic_cast<const packet_port&>(*out).peer();
    packet response = net.make(owner, 0, packet_kind::read_response);
    CHECK(net.net().routes(far.owner()).next(response).port == far.index());
    used.insert(uplink);
  }
  CHECK(used.size() == 4);
}

TEST_CASE("by flow a pair keeps its way whatever it sends") {
  leaf_spine net(4);
  net.spread_by(spread_key::flow);
  std::set<int> used;
  for (std::size_t from = 0; from < 4; ++from)
    for (std::size_t to = 4; to < 8; ++to) {
      packet first = net.make(from, to);
      packet second = net.make(from, to, packet_kind::write_request, 1 << 20);
      const int way = net.hop(0, first);
      CHECK(net.hop(0, second) == way);
      used.insert(way);
    }
  CHECK(used.size() == 4);
}

TEST_CASE("by address the blocks of one flow take turns") {
  leaf_spine net(4);
  net.spread_by(spread_key::address);
  for (std::uint64_t block = 0; block < 8; ++block) {
    packet first = net.make(0, 5, packet_kind::write_request, block * 4096);
    packet last = net.make(0, 5, packet_kind::write_request, block * 4096 + 4095);
    CHECK(net.hop(0, first) == 4 + static_cast<int>(block % 4));
    CHECK(net.hop(0, last) == 4 + static_cast<int>(block % 4));
  }
}

TEST_CASE("sprayed packets take turns") {
  leaf_spine net(4);
  net.spread_by(spread_key::packet);
  for (int i = 0; i < 8; ++i) CHECK(net.port(0, 0, 5) == 4 + i % 4);
}

TEST_CASE("a link of weight 3 takes three times as much") {
  leaf_spine net(2, 1, 3);
  net.spread_by(spread_key::packet);
  std::map<int, int> uses;
  for (int i = 0; i < 400; ++i) ++uses[net.port(0, 0, 5)];
  CHECK(uses == std::map<int, int>{{4, 300}, {5, 100}});
}

TEST_CASE("tiers choose by different digits: no uplink of the second tier is left out") {
  // Two pods of two leaves and two middle switches, two cores a middle switch, two hosts a leaf
  switch_graph net;
  net.add_switches("leaf", 4);
  net.add_switches("middle", 4);
  net.add_switches("core", 4);
  for (std::size_t leaf = 0; leaf < 4; ++leaf)
    for (int host = 0; host < 2; ++host) net.add_end(leaf);
  for (std::size_t leaf = 0; leaf < 4; ++leaf)
    for (std::size_t way = 0; way < 2; ++way) net.join(leaf, 4 + leaf / 2 * 2 + way);
  for (std::size_t middle = 0; middle < 4; ++middle)
    for (std::size_t way = 0; way < 2; ++way) net.join(4 + middle, 8 + middle % 2 * 2 + way);
  std::map<std::string, int> uses;
  for (std::size_t to = 4; to < 8; ++to) {
    const std::string way = net.way(0, to);
    ++uses[way.substr(0, way.find(", core"))];
  }
  CHECK(uses.size() == 4);  // every destination by a way of its own
}

TEST_CASE("links with different virtual channels: a packet stays in its class") {
  switch_graph net;
  net.add_switches("sw", 2);
  net.add_end(0);
  net.add_end(1);
  net.join(0, 1, 1, 8);
  CHECK(net.way(0, 1) == "sw[0].port[1] vc 0, sw[1].port[0] vc 0");
  packet response = net.make(0, 1, packet_kind::read_response);
  response.vc = 1;
  CHECK(net.hop(0, response) == 1);
  CHECK(response.vc == 5);
  CHECK(net.hop(1, response) == 0);
  CHECK(response.vc == 1);
}

TEST_CASE("an endpoint that no path leads to is not reached") {
  switch_graph net;
  net.add_switches("sw", 2);
  net.add_end(0);
  net.add_end(1);
  CHECK_FALSE(net.net().routes(*net.switches[0]).reaches(net.ends[1]->id));
  CHECK_FALSE(net.net().routes(*net.ends[0]).reaches(net.ends[1]->id));
  CHECK(net.net().routes(*net.switches[1]).reaches(net.ends[1]->id));
  packet p = net.make(0, 1);
  net.hop(0, p);
  CHECK_THROWS_WITH(net.sim.service<run_control>().rethrow_rejection(),
                    "sw[0]: no way to endpoint 1");
}
