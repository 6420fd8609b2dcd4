// A mesh with a network interface, a memory and two stimuli at every tile, put together by hand.
#pragma once

#include <string>
#include <vector>

#include "models/memory/memory.hpp"
#include "models/mesh/collective/collective_router.hpp"
#include "models/mesh/collective/functional_unit.hpp"
#include "models/mesh/dma/mesh_dma.hpp"
#include "models/mesh/ni/network_interface.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"

namespace heddle {

class tile_bench : public test_bench {
 public:
  static constexpr std::uint64_t base = 0x10000000, tile_size = 0x40000, registers = 0x20000,
                                 dma_registers = 0x21000, alias = 0x100000000;

  tile_bench(int columns, int rows, const simulation_settings& settings = {},
             std::uint64_t l1_bytes_per_second = 256'000'000'000)
      : test_bench(settings), width(columns), height(rows), l1_rate_(l1_bytes_per_second) {
    for (int i = 0; i < width * height; ++i) add_tile(i);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int link = 0; link < 3; ++link) {
          const std::uint64_t flit = link == 0 ? 64 : 8;
          if (x + 1 < width) join(router(x, y, link), "east", router(x + 1, y, link), "west", flit);
          if (y + 1 < height)
            join(router(x, y, link), "north", router(x, y + 1, link), "south", flit);
        }
  }

  static std::uint64_t tile(int index) {
    return base + static_cast<std::uint64_t>(index) * tile_size;
  }
  memory_initiator& core(int index) { return *cores_[index]; }
  // Straight to the interface: the bus would take what is the tile's own.
  memory_initiator& engine(int index) { return *engines_[index]; }
  network_interface& interface(int index) { return *interfaces_[index]; }
  mesh_dma& dma(int index) { return *dmas_[index]; }

  int width, height;

 private:
  unit& router(int x, int y, int link) { return *routers_[(y * width + x) * 3 + link]; }
  static void join(unit& a, const std::string& port_a, unit& b, const std::string& port_b,
                   std::uint64_t flit) {
    flit_link_parameters link;
    link.flit.set({flit});
    a.find_port(port_a)->connect(*b.find_port(port_b), &link);
  }

  void add_tile(int i) {
    const std::string index = "[" + std::to_string(i) + "]";
    const auto at = [&](auto& p) {
      p.x.set(static_cast<std::uint64_t>(i % width));
      p.y.set(static_cast<std::uint64_t>(i / width));
    };
    auto& ni = add<network_interface>("ni" + index, [&](network_interface_parameters& p) {
      at(p);
      p.width.set(static_cast<std::uint64_t>(width));
      p.height.set(static_cast<std::uint64_t>(height));
    });
    interfaces_.push_back(&ni);
    auto& l1 = add<memory>("l1" + index, [this](memory_parameters& p) {
      p.size.set({128 * 1024});
      p.latency.set({0});
      p.rate.set(bandwidth(l1_rate_));
      p.atomic.set({3 * fs_per_ns});
    });
    auto& bus = add<memory_bus>("bus" + index);
    map(bus, tile(i), 128 * 1024, l1, "in");
    map(bus, tile(i) + registers, 4096, ni, "registers");
    bus.add_default_range().connect(*ni.find_port("in"), nullptr);
    cores_.push_back(&add_stimulus<memory_initiator>("core" + index));
    bind(*cores_.back(), "bus", bus, "in");
    engines_.push_back(&add_stimulus<memory_initiator>("engine" + index));
    bind(*engines_.back(), "bus", ni, "in");
    bind(ni, "out", bus, "in");
    auto& dma =
        add<mesh_dma>("dma" + index, [&](mesh_dma_parameters& p) { p.local_base.set({tile(i)}); });
    dmas_.push_back(&dma);
    map(bus, tile(i) + dma_registers, 4096, dma, "registers");
    bind(dma, "memory", bus, "in");
    bind(dma, "fabric", ni, "in");
    for (const char* link : {"wide", "req", "rsp"}) {
      const std::uint64_t flit = std::string(link) == "wide" ? 64 : 8;
      auto& made =
          add<collective_router>(std::string(link) + index, [&](collective_router_parameters& p) {
            at(p);
            p.data.set({flit});
          });
      routers_.push_back(&made);
      join(ni, link, made, "local", flit);
      if (std::string(link) != "wide") continue;
      bind(made, "offload", add<functional_unit>("fpu" + index), "port");
    }
  }

  std::uint64_t l1_rate_;
  std::vector<network_interface*> interfaces_;
  std::vector<mesh_dma*> dmas_;
  std::vector<memory_initiator*> cores_, engines_;
  std::vector<unit*> routers_;
};

}  // namespace heddle
