// Trees of switches with aggregators. Of each rank there are a packetizer, a memory of 1 MiB
// (100 ns, 1 B/ps), a bus and a core; links carry 1 B/ps in 10 ns. A manager writes the registers.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "models/inc/aggregator/aggregator.hpp"
#include "models/memory/memory.hpp"
#include "models/switch/switch.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {

struct aggregator_bench_options {
  // By switch: the number of the one above; -1: a root. And the switch of each rank.
  std::vector<int> parent_of = {-1};
  std::vector<int> leaf_of = {0, 0, 0, 0};
  std::uint32_t train = 1;
  std::uint64_t buffer = 1 << 20;
  std::uint64_t link_buffer = 1 << 17;
  bool carries_data = true;
  std::vector<fs_t> rank_latency;  // of each rank's link; 10 ns where there is none
};

struct tree_stream {
  aggregator_regs::group_operation_mode mode = aggregator_regs::group_operation_mode::MULTICAST;
  dtype type = dtype::fp32;
  reduce_op op = reduce_op::sum;
  std::uint64_t length = 128;
  std::uint32_t segment = 128, window = 4;
  std::uint64_t watchdog_ns = 0;
  bool keeps_order = true;
  int target = -1;  // rank that gets the results of mode ROOT
};

struct aggregator_bench : test_bench {
  static constexpr std::uint64_t window = 1 << 20, windows = 1ULL << 40, stride = 1ULL << 32;
  static constexpr fs_t per_byte = 1000, latency = 10 * fs_per_ns, forwarding = 100 * fs_per_ns,
                        pipeline = 20 * fs_per_ns;
  static constexpr std::uint64_t result_at = 0x40000, flag_at = 0x80;

  struct tier_switch {
    packet_switch* core = nullptr;
    aggregator* device = nullptr;
    memory_initiator* manager = nullptr;
    std::vector<int> ranks, below;  // in the order of the ports
  };

  const aggregator_bench_options options;
  std::vector<tier_switch> switches;
  std::vector<memory_initiator*> cores;

  explicit aggregator_bench(const aggregator_bench_options& o)
      : test_bench(settings_of(o)), options(o) {
    const int count = static_cast<int>(o.parent_of.size());
    switches.resize(o.parent_of.size());
    for (int r = 0; r < static_cast<int>(o.leaf_of.size()); ++r)
      at_switch(o.leaf_of[index(r)]).ranks.push_back(r);
    for (int s = 0; s < count; ++s)
      if (o.parent_of[index(s)] >= 0) at_switch(o.parent_of[index(s)]).below.push_back(s);
    for (int s = 0; s < count; ++s) add_switch(s);
    for (int s = 0; s < count; ++s) add_links(s);
  }

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  tier_switch& at_switch(int s) { return switches[index(s)]; }
  int ranks() const { return static_cast<int>(options.leaf_of.size()); }
  static std::uint64_t base_of(int rank) { return (static_cast<std::uint64_t>(rank) + 1) * window; }
  static std::uint64_t window_of(int s, int group) {
    return windows + (static_cast<std::uint64_t>(s) * aggregator_regs::group_count +
                      static_cast<std::uint64_t>(group)) *
                         stride;
  }
  std::uint64_t window_for(int rank, int group = 0) const {
    return window_of(options.leaf_of[index(rank)], group);
  }
  memory_initiator& core(int rank) { return *cores[index(rank)]; }

  // Registers, from a thread ------------------------------------------------------------------
  bool write32(int s, std::uint64_t offset, std::uint32_t value) {
    return at_switch(s).manager->write(offset, &value, sizeof value).status == tlm::TLM_OK_RESPONSE;
  }
  bool write64(int s, std::uint64_t offset, std::uint64_t value) {
    return at_switch(s).manager->write(offset, &value, sizeof value).status == tlm::TLM_OK_RESPONSE;
  }
  std::uint64_t read64(int s, std::uint64_t offset) {
    std::uint64_t value = 0;
    at_switch(s).manager->read(offset, &value, sizeof value);
    return value;
  }
  std::uint32_t read32(int s, std::uint64_t offset) {
    std::uint32_t value = 0;
    at_switch(s).manager->read(offset, &value, sizeof value);
    return value;
  }
  std::uint32_t state(int s, int group = 0) {
    return read32(s, aggregator_regs::group_status_offset(index(group))) & 7;
  }
  std::uint32_t error(int s, int group = 0) {
    return read32(s, aggregator_regs::group_status_offset(index(group))) >> 4 & 15;
  }

  // Children of a group in every switch: ranks for which `takes_part` says so, in the order of the
  // ports, then switches with such ranks below.
  void add_children(int group, const std::function<bool(int rank)>& takes_part) {
    for (int s = 0; s < static_cast<int>(switches.size()); ++s) {
      for (const int r : at_switch(s).ranks)
        if (takes_part(r)) add_child(s, group, base_of(r), index(r), true);
      for (const int below : at_switch(s).below) {
        const int first = first_rank(below, takes_part);
        if (first >= 0) add_child(s, group, window_of(below, group), index(first), false);
      }
    }
  }
  void add_child(int s, int group, std::uint64_t address, std::size_t number, bool is_member) {
    write64(s, aggregator_regs::manager_child_address_offset(0), address);
    write32(s, aggregator_regs::manager_child_offset(0),
            static_cast<std::uint32_t>(number) | (is_member ? 0U : 1U << 16));
    write32(s, aggregator_regs::manager_child_add_offset(0), static_cast<std::uint32_t>(group));
  }
  // Switches without children are left out.
  void arm(int group, const tree_stream& stream) {
    for (int s = static_cast<int>(switches.size()); s-- > 0;) arm_switch(s, group, stream);
  }
  void arm_switch(int s, int group, const tree_stream& stream) {
    using namespace aggregator_regs;
    const std::size_t g = index(group);
    if (read32(s, group_children_offset(g)) == 0) return;
    const int parent = options.parent_of[index(s)];
    const bool is_root = parent < 0 || read32(parent, group_children_offset(g)) == 0;
    write32(s, group_operation_offset(g),
            static_cast<std::uint32_t>(stream.type) | static_cast<std::uint32_t>(stream.op) << 4 |
                static_cast<std::uint32_t>(stream.mode) << 8 |
                (stream.keeps_order ? 0U : 1U << 11));
    write32(s, group_segment_offset(g), stream.segment);
    write64(s, group_length_offset(g), stream.length);
    write64(s, group_parent_offset(g), is_root ? 0 : window_of(parent, group));
    write64(s, group_result_offset_offset(g), result_at);
    write64(s, group_flag_offset_offset(g), flag_at + 8 * g);
    write64(s, group_watchdog_offset(g), stream.watchdog_ns);
    write32(s, group_window_offset(g), stream.window);
    write32(s, group_target_offset(g), target_at(s, stream.target));
    write32(s, group_arm_offset(g), 1);
  }

  // Without time ------------------------------------------------------------------------------
  void fill(int rank, std::uint64_t offset, const void* from, std::size_t bytes) {
    core(rank).debug(tlm::TLM_WRITE_COMMAND, base_of(rank) + offset, const_cast<void*>(from),
                     static_cast<std::uint32_t>(bytes));
  }
  std::vector<std::byte> bytes_of(int rank, std::uint64_t offset, std::size_t bytes) {
    std::vector<std::byte> got(bytes);
    core(rank).debug(tlm::TLM_READ_COMMAND, base_of(rank) + offset, got.data(),
                     static_cast<std::uint32_t>(bytes));
    return got;
  }
  template <class T>
  T word_of(int rank, std::uint64_t offset) {
    T word{};
    std::memcpy(&word, bytes_of(rank, offset, sizeof word).data(), sizeof word);
    return word;
  }
  std::uint64_t flag(int rank, int group = 0) {
    return word_of<std::uint64_t>(rank, flag_at + 8 * index(group));
  }
  std::vector<float> floats_of(int rank, std::size_t count) {
    std::vector<float> got(count);
    std::memcpy(got.data(), bytes_of(rank, result_at, count * 4).data(), count * 4);
    return got;
  }
  std::uint64_t statistic_of(const unit& owner, const std::string& name) const {
    for (const auto* each : owner.statistics()->all())
      if (each->name() == name) return each->raw();
    return ~0ULL;
  }

  // What a rank's DMA engine does: pushes its vector, never more than `window` segments ahead of
  // its flag.
  void push(int rank, const void* from, const tree_stream& stream, int group = 0) {
    const auto* bytes = static_cast<const std::byte*>(from);
    const auto start = static_cast<std::uint32_t>(flag(rank, group));
    std::uint32_t segment = 0;
    for (std::uint64_t at = 0; at < stream.length; at += stream.segment, ++segment) {
      while (static_cast<std::uint32_t>(flag(rank, group)) - start + stream.window <= segment) {
        if (flag(rank, group) >> 32 != 0) return;
        sc_core::wait(to_sc_time(50 * fs_per_ns));
      }
      core(rank).write(
          window_for(rank, group) + at, bytes + at,
          static_cast<std::uint32_t>(std::min<std::uint64_t>(stream.segment, stream.length - at)));
    }
  }

 private:
  static simulation_settings settings_of(const aggregator_bench_options& o) {
    simulation_settings settings;
    settings.train = o.train;
    settings.has_monitors = true;
    settings.carries_data = o.carries_data;
    return settings;
  }
  int first_rank(int s, const std::function<bool(int rank)>& takes_part) {
    for (const int r : at_switch(s).ranks)
      if (takes_part(r)) return r;
    for (const int below : at_switch(s).below)
      if (const int found = first_rank(below, takes_part); found >= 0) return found;
    return -1;
  }
  // Of the child that leads to the rank; the groups that ask have all ranks.
  std::uint32_t target_at(int s, int rank) {
    std::uint32_t child = 0;
    for (const int r : at_switch(s).ranks) {
      if (r == rank) return child;
      ++child;
    }
    for (const int below : at_switch(s).below) {
      if (first_rank(below, [rank](int r) { return r == rank; }) >= 0) return child;
      ++child;
    }
    return UINT32_MAX;
  }

  void add_switch(int s) {
    tier_switch& of = at_switch(s);
    const std::string number = std::to_string(s);
    of.core = &add<packet_switch>("switch" + number, [&](switch_parameters& p) {
      p.ports.set(std::max<std::uint64_t>(of.ranks.size() + of.below.size() + 1, 2));
    });
    of.device = &add<aggregator>("aggregator" + number, [&](aggregator_parameters& p) {
      p.base.set({window_of(s, 0)});
      p.stride.set({stride});
      p.buffer.set({options.buffer});
    });
    of.manager = &add_stimulus<memory_initiator>("manager" + number);
    bind(*of.device, "inc", *of.core, "inc");
    bind(*of.manager, "bus", *of.device, "registers");
  }
  static void set_link(link_parameters& p, fs_t time, std::uint64_t buffer) {
    p.rate.set(bandwidth(1'000'000'000'000));
    p.latency.set({time});
    p.buffer.set({buffer});
  }
  void add_links(int s) {
    int port = 0;
    for (const int r : at_switch(s).ranks) add_rank(r, s, port++);
    for (const int below : at_switch(s).below) {
      const std::size_t up = at_switch(below).ranks.size() + at_switch(below).below.size();
      link(*at_switch(below).core, "port[" + std::to_string(up) + "]", *at_switch(s).core,
           "port[" + std::to_string(port++) + "]",
           [&](link_parameters& p) { set_link(p, latency, options.link_buffer); });
    }
  }
  void add_rank(int rank, int s, int port) {
    const std::string number = std::to_string(rank);
    memory_bus& bus = add<memory_bus>("bus" + number);
    memory& ram = add<memory>("ram" + number, [](memory_parameters& p) {
      p.size.set({window});
      p.latency.set({100 * fs_per_ns});
      p.rate.set(bandwidth(1'000'000'000'000));
    });
    packetizer& ni = add<packetizer>("ni" + number, [&](packetizer_parameters& p) {
      p.ports.set(1);
      p.base.set({base_of(rank)});
      p.size.set({window});
    });
    cores.resize(std::max(cores.size(), index(rank) + 1));
    cores[index(rank)] = &add_stimulus<memory_initiator>("core" + number);
    map(bus, base_of(rank), window, ram, "in");
    bus.add_default_range().connect(*ni.find_port("in"), nullptr);
    bind(*cores[index(rank)], "bus", bus, "in");
    bind(ni, "out", bus, "in");
    const fs_t time = options.rank_latency.empty() ? latency : options.rank_latency[index(rank)];
    link(ni, "port[0]", *at_switch(s).core, "port[" + std::to_string(port) + "]",
         [&](link_parameters& p) { set_link(p, time, options.link_buffer); });
  }
};

}  // namespace heddle
