// Nodes with gather units, put together by hand: a memory, a PCIe bridge and a NIC each, racks with
// middle pipes, a spine. The test is the driver. Everything is clocked as NetSparse Table 5 says,
// and every index is handled in its cycle.
#pragma once

#include <string>
#include <vector>

#include "models/inc/tor/tor.hpp"
#include "models/memory/memory.hpp"
#include "models/nic/pcie/pcie.hpp"
#include "models/nic/rig/rig.hpp"
#include "models/sparse/property_values.hpp"
#include "models/switch/switch.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"

namespace heddle {

struct rig_bench_settings {
  int racks = 1, hosts = 2;
  std::uint64_t rows_per_node = 64;
  std::uint32_t length = 64;
  bool filters = true, coalesces = true, concatenates = true, uses_switch = false;
  bool inserts_all = false;
  std::uint64_t link_buffer = 128 << 10;
  spread_key spread = spread_key::owner;
  std::function<void(rig_parameters&)> configure = [](rig_parameters&) {};
  std::function<void(tor_parameters&)> configure_tor = [](tor_parameters&) {};
  simulation_settings simulation;
};

class rig_bench : public test_bench {
 public:
  static constexpr std::uint64_t properties = 0x100000, indices = 0x200000, destination = 0x400000;
  static constexpr std::uint64_t seed = 11;

  struct node {
    memory* store;
    pcie_bridge* bridge;
    rig* nic;
    memory_initiator* host;   // its registers, over PCIe
    memory_initiator* debug;  // its memory
  };
  struct batch {
    int unit;
    std::vector<std::uint32_t> list;
    fs_t watchdog = 0;
    std::uint64_t destination = rig_bench::destination;
  };
  struct completion {
    std::uint32_t node;
    std::uint64_t indices;
    fs_t when;
  };

  explicit rig_bench(const rig_bench_settings& s) : test_bench(s.simulation), set(s) {
    routing_choice choice;
    choice.spread = s.spread;
    sim.service<fabric>().set_routing(choice);
    for (int i = 0; i < s.racks * s.hosts; ++i) add_node(i);
    for (int r = 0; r < s.racks; ++r) add_rack(r);
    if (s.racks > 1) add_spine();
    sim.service<gather_directory>().on_batch = [this](std::uint32_t n, std::uint64_t at,
                                                      fs_t when) {
      completions.push_back({n, at, when});
    };
  }

  int count() const { return static_cast<int>(nodes.size()); }

  // All that a driver does before a kernel; inside a thread.
  void prepare(int at) {
    node& n = nodes[static_cast<std::size_t>(at)];
    write32(n, rig_regs::nodes_offset, static_cast<std::uint32_t>(count()));
    write64(n, rig_regs::rows_per_node_offset, set.rows_per_node);
    write64(n, rig_regs::property_base_offset, properties);
    write32(n, rig_regs::length_offset, set.length);
    write32(n, rig_regs::concatenation_offset, (set.concatenates ? 1U : 0U) | 500U << 8);
    if (!set.filters) return;
    write64(n, rig_regs::filter_bits_offset, set.rows_per_node * nodes.size());
    write32(n, rig_regs::clear_offset, 1);
    sc_core::wait(to_sc_time(fs_per_us));
  }
  void prepare_rack(std::size_t at) {
    memory_initiator& control = *controls[at];
    const std::uint32_t delay = 125U << 8;
    const std::uint32_t control_word = (set.uses_switch ? 1U : 0U) |
                                       (set.uses_switch && set.length <= 512 ? 2U : 0U) |
                                       (set.inserts_all ? 4U : 0U) | delay;
    const std::uint32_t one = 1;
    control.write(tor_regs::control_offset, &control_word, 4);
    if (set.length > 512) return;
    control.write(tor_regs::length_offset, &set.length, 4);
    control.write(tor_regs::invalidate_offset, &one, 4);
  }
  void post(int at, const batch& b, std::uint64_t list = indices) {
    node& n = nodes[static_cast<std::size_t>(at)];
    const auto unit = static_cast<std::size_t>(b.unit);
    if (!b.list.empty())
      n.debug->debug(tlm::TLM_WRITE_COMMAND, list, const_cast<std::uint32_t*>(b.list.data()),
                     static_cast<std::uint32_t>(b.list.size() * 4));
    write64(n, rig_regs::unit_indices_offset(unit), list);
    write64(n, rig_regs::unit_destination_offset(unit), b.destination);
    write32(n, rig_regs::unit_list_length_offset(unit), static_cast<std::uint32_t>(b.list.size()));
    write32(n, rig_regs::unit_flags_offset(unit),
            (set.filters ? 1U : 0U) | (set.coalesces ? 2U : 0U));
    write32(n, rig_regs::unit_watchdog_ns_offset(unit),
            static_cast<std::uint32_t>(b.watchdog / fs_per_ns));
    doorbells.push_back(now_fs());
    write32(n, rig_regs::unit_doorbell_offset(unit), 1);
  }

  // Own properties of every node, before the run.
  void fill() {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::uint64_t row = 0; row < set.rows_per_node; ++row) {
        std::vector<std::byte> bytes(set.length);
        property_values(seed, i * set.rows_per_node + row).fill(bytes.data(), set.length);
        nodes[i].debug->debug(tlm::TLM_WRITE_COMMAND, properties + row * set.length, bytes.data(),
                              set.length);
      }
  }
  bool has(int at, std::uint32_t index) {
    std::vector<std::byte> bytes(set.length);
    nodes[static_cast<std::size_t>(at)].debug->debug(
        tlm::TLM_READ_COMMAND, destination + std::uint64_t{index} * set.length, bytes.data(),
        set.length);
    return property_values(seed, index).matches(bytes.data(), set.length);
  }
  // Prepares everything, then runs `body` in a thread.
  void start(std::function<void()> body) {
    thread([this, body = std::move(body)] {
      fill();
      for (int i = 0; i < count(); ++i) prepare(i);
      for (std::size_t r = 0; r < controls.size(); ++r) prepare_rack(r);
      sc_core::wait(to_sc_time(fs_per_us));
      body();
    });
  }

  const rig_counters& counts(int at) const {
    return nodes[static_cast<std::size_t>(at)].nic->count();
  }
  std::uint32_t read32(int at, std::uint64_t offset) {
    std::uint32_t value = 0;
    nodes[static_cast<std::size_t>(at)].host->read(offset, &value, 4);
    return value;
  }
  void write32(node& n, std::uint64_t offset, std::uint32_t value) {
    n.host->write(offset, &value, 4);
  }
  void write64(node& n, std::uint64_t offset, std::uint64_t value) {
    n.host->write(offset, &value, 8);
  }

  rig_bench_settings set;
  std::vector<node> nodes;
  std::vector<packet_switch*> leaves;
  std::vector<tor*> tors;
  std::vector<memory_initiator*> controls;
  packet_switch* spine = nullptr;
  std::vector<completion> completions;
  std::vector<fs_t> doorbells;  // when the host has written them

 private:
  void add_node(int number) {
    const std::string index = "[" + std::to_string(number) + "]";
    node n{};
    n.store = &add<memory>("memory" + index, [](memory_parameters& p) {
      p.size.set({64 << 20});
      p.latency.set({90 * fs_per_ns});
      p.rate.set(bandwidth(270'000'000'000));
    });
    n.bridge = &add<pcie_bridge>("pcie" + index);
    n.nic = &add<rig>("nic" + index, [&](rig_parameters& p) {
      p.number.set(static_cast<std::uint64_t>(number));
      p.base.set({(static_cast<std::uint64_t>(number) + 1) << 32});
      p.size.set({1 << 20});
      p.quantum.set(1);
      p.memory.set({1 << 20});
      p.llc.set({64 << 10});
      set.configure(p);
    });
    n.host = &add_stimulus<memory_initiator>("host" + index);
    bind(*n.host, "bus", *n.bridge, "down");
    bind(*n.bridge, "device", *n.nic, "registers");
    bind(*n.nic, "memory", *n.bridge, "up");
    auto& bus = add<memory_bus>("bus" + index);
    map(bus, 0, 64 << 20, *n.store, "in");
    bind(*n.bridge, "host", bus, "in");
    n.debug = &add_stimulus<memory_initiator>("debug" + index);
    bind(*n.debug, "bus", bus, "in");
    nodes.push_back(n);
  }
  void add_rack(int number) {
    const std::string index = "[" + std::to_string(number) + "]";
    const auto hosts = static_cast<std::uint64_t>(set.hosts);
    leaves.push_back(&add<packet_switch>("leaf" + index, [&](switch_parameters& p) {
      p.ports.set(std::max<std::uint64_t>(2, set.racks > 1 ? 2 * hosts : hosts));
      p.forwarding.set({300 * fs_per_ns});
      p.pipes.set(2);
    }));
    tors.push_back(&add<tor>("tor" + index, [&](tor_parameters& p) { set.configure_tor(p); }));
    bind(*tors.back(), "switch", *leaves.back(), "inc");
    controls.push_back(&add_stimulus<memory_initiator>("control" + index));
    bind(*controls.back(), "bus", *tors.back(), "registers");
    const std::size_t first = static_cast<std::size_t>(number) * hosts;
    for (std::size_t h = 0; h < hosts; ++h)
      join(*nodes[first + h].nic, "port", *leaves.back(), "port[" + std::to_string(h) + "]");
  }
  void add_spine() {
    spine = &add<packet_switch>("spine", [&](switch_parameters& p) {
      p.ports.set(static_cast<std::uint64_t>(set.racks) * static_cast<std::uint64_t>(set.hosts));
      p.forwarding.set({300 * fs_per_ns});
    });
    for (int r = 0; r < set.racks; ++r)
      for (int u = 0; u < set.hosts; ++u)
        join(*leaves[static_cast<std::size_t>(r)], "port[" + std::to_string(set.hosts + u) + "]",
             *spine, "port[" + std::to_string(r * set.hosts + u) + "]");
  }
  void join(unit& a, const std::string& port_a, unit& b, const std::string& port_b) {
    link(a, port_a, b, port_b, [&](link_parameters& p) {
      p.rate.set(bandwidth(50'000'000'000));
      p.latency.set({450 * fs_per_ns});
      p.buffer.set({set.link_buffer});
    });
  }
};

}  // namespace heddle
