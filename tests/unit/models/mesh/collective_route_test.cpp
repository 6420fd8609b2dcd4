// Trees of multicasts and reductions, for every submesh, source and destination of a mesh.
#include <catch2/catch.hpp>
#include <vector>

#include "models/mesh/collective/collective_route.hpp"

using namespace heddle;

namespace {

constexpr int size = 8;

struct place {
  mesh_position node;
  int port;
};

mesh_position step(mesh_position from, int to) {
  const int x = from.x + (to == east) - (to == west), y = from.y + (to == north) - (to == south);
  REQUIRE((x >= 0 && x < size && y >= 0 && y < size));
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
}

int opposite(int direction) {
  return direction == local ? local : (direction + 2) % 4;
}

// How often each node gets a multicast.
std::vector<int> deliveries(mesh_position source, mesh_position to, mesh_position mask) {
  std::vector<int> count(size * size);
  std::vector<place> under_way{{source, local}};
  while (!under_way.empty()) {
    const place at = under_way.back();
    under_way.pop_back();
    port_mask outputs = multicast_outputs(at.node, at.port, to, mask);
    for (; outputs; outputs &= outputs - 1) {
      const int out = __builtin_ctz(outputs);
      if (out == local)
        ++count[at.node.y * size + at.node.x];
      else
        under_way.push_back({step(at.node, out), opposite(out)});
    }
  }
  return count;
}

std::vector<mesh_position> all_nodes() {
  std::vector<mesh_position> nodes;
  for (int i = 0; i < size * size; ++i)
    nodes.push_back({static_cast<std::uint8_t>(i % size), static_cast<std::uint8_t>(i / size)});
  return nodes;
}

}  // namespace

TEST_CASE("a multicast reaches every member once and nobody else") {
  const mesh_position mask{GENERATE(as<std::uint8_t>(), 0, 1, 2, 3, 5, 7),
                           GENERATE(as<std::uint8_t>(), 0, 1, 4, 6, 7)};
  for (const mesh_position source : all_nodes())
    for (const mesh_position to : all_nodes()) {
      const auto count = deliveries(source, to, mask);
      for (const mesh_position node : all_nodes())
        if (count[node.y * size + node.x] != is_member(node, to, mask)) FAIL("wrong delivery");
    }
}

TEST_CASE("a reduction expects contributions exactly where ways of members come in") {
  const mesh_position mask{GENERATE(as<std::uint8_t>(), 0, 1, 2, 3, 5, 7),
                           GENERATE(as<std::uint8_t>(), 0, 1, 4, 6, 7)};
  for (const mesh_position any : all_nodes())
    for (const mesh_position to : all_nodes()) {
      std::vector<port_mask> passed(size * size);
      for (const mesh_position member : all_nodes()) {
        if (!is_member(member, any, mask)) continue;
        mesh_position here = member;
        passed[here.y * size + here.x] |= 1U << local;
        for (int out = x_first(here, to); out != local; out = x_first(here, to)) {
          here = step(here, out);
          passed[here.y * size + here.x] |= 1U << opposite(out);
        }
      }
      for (const mesh_position node : all_nodes()) {
        const port_mask expected = passed[node.y * size + node.x];
        // Routers that no member's way leads through are never asked.
        if (expected && reduction_inputs(node, to, any, mask) != expected) FAIL("wrong inputs");
      }
    }
}
