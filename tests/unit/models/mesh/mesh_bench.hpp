// A mesh put together by hand: routers of one type with an endpoint each and, for collective
// routers, a functional unit each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/mesh/collective/collective_router.hpp"
#include "models/mesh/collective/functional_unit.hpp"
#include "models/mesh/router/mesh_router.hpp"
#include "tests/support/flit_endpoint.hpp"
#include "tests/support/test_bench.hpp"

namespace heddle {

struct mesh_links {
  std::uint64_t latency = 1, vcs = 1, buffer = 4, flit = 64;
};

template <class Router>
class mesh_bench : public test_bench {
 public:
  using configure_router = std::function<void(typename Router::parameters&)>;

  // `is_reversed`: units come into being in the opposite order.
  mesh_bench(int columns, int rows, const mesh_links& links, const configure_router& configure = {},
             bool is_reversed = false)
      : width(columns),
        height(rows),
        links_(links),
        routers_(columns * rows),
        nodes_(columns * rows) {
    for (int i = 0; i < width * height; ++i)
      add_tile(is_reversed ? width * height - 1 - i : i, configure);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        if (x + 1 < width) join(router(x, y), "east", router(x + 1, y), "west");
        if (y + 1 < height) join(router(x, y), "north", router(x, y + 1), "south");
      }
  }

  Router& router(int x, int y) { return *routers_[y * width + x]; }
  flit_endpoint& node(int x, int y) { return *nodes_[y * width + x]; }
  flit_endpoint& node(mesh_position at) { return node(at.x, at.y); }
  flit_payloads& payloads() { return sim.service<flit_payloads>(); }

  void join(unit& a, const std::string& port_a, unit& b, const std::string& port_b) {
    flit_link_parameters link;
    link.latency.set(links_.latency);
    link.vcs.set(links_.vcs);
    link.buffer.set(links_.buffer);
    link.flit.set({links_.flit});
    a.find_port(port_a)->connect(*b.find_port(port_b), &link);
  }

  int width, height;

 private:
  void add_tile(int i, const configure_router& configure) {
    const auto at = [&](auto& p) {
      p.x.set(static_cast<std::uint64_t>(i % width));
      p.y.set(static_cast<std::uint64_t>(i / width));
      if (configure) configure(p);
    };
    const std::string index = "[" + std::to_string(i) + "]";
    routers_[i] = &add<Router>("router" + index, at);
    const mesh_position here{static_cast<std::uint8_t>(i % width),
                             static_cast<std::uint8_t>(i / width)};
    nodes_[i] = &add_stimulus<flit_endpoint>("node" + index, here);
    join(*nodes_[i], "port", *routers_[i], "local");
    if constexpr (std::is_same_v<Router, collective_router>)
      bind(*routers_[i], "offload", add<functional_unit>("fpu" + index), "port");
  }

  mesh_links links_;
  std::vector<Router*> routers_;
  std::vector<flit_endpoint*> nodes_;
};

constexpr mesh_position at(int x, int y) {
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
}

inline flit make_flit(mesh_position from, mesh_position to, flit_op op = flit_op::unicast,
                      mesh_position mask = {}) {
  flit made;
  made.source = from;
  made.destination = to;
  made.mask = mask;
  made.op = op;
  return made;
}

}  // namespace heddle
