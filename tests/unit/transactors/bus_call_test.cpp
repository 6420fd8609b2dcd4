// Whom a bus calls: the target itself where nobody stands in front of it, otherwise whoever does.
#include <catch2/catch.hpp>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>

#include "models/memory/memory.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/memory/passing_target_socket.hpp"

using namespace heddle;

namespace {

constexpr fs_t bus_latency = 7, passage_latency = 3, memory_latency = 100 * fs_per_ns;
constexpr std::uint64_t base = 0x1000;

// Passes every access on and counts it.
struct passage_calls {
  tlm_utils::simple_initiator_socket<passage_calls>* out;
  int* accesses;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++*accesses;
    delay += to_sc_time(passage_latency);
    (*out)->b_transport(payload, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    return (*out)->nb_transport_fw(payload, phase, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    return (*out)->transport_dbg(payload);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    return (*out)->get_direct_mem_ptr(payload, dmi);
  }
  target_declaration::interface* behind() { return out->operator->(); }
};

// A foreign component: the extensions of what it passes on are nothing to it.
class foreign_passage final : public unit {
 public:
  explicit foreign_passage(const unit_context& context)
      : unit(context), in_port_(*this, "in", in_), out_port_(*this, "out", out_) {
    in_.register_b_transport(&calls_, &passage_calls::b_transport);
    in_.register_transport_dbg(&calls_, &passage_calls::transport_dbg);
  }
  int accesses = 0;

 private:
  tlm_utils::simple_initiator_socket<passage_calls> out_{"out"};
  passage_calls calls_{&out_, &accesses};
  tlm_utils::simple_target_socket<passage_calls> in_{"in"};
  memory_target_port in_port_;
  memory_initiator_port out_port_;
};

class known_passage final : public unit {
 public:
  explicit known_passage(const unit_context& context)
      : unit(context), in_port_(*this, "in", in_), out_port_(*this, "out", out_) {}
  int accesses = 0;

 private:
  tlm_utils::simple_initiator_socket<passage_calls> out_{"out"};
  passing_target_socket<passage_calls> in_{"in", passage_calls{&out_, &accesses}};
  memory_target_port in_port_;
  memory_initiator_port out_port_;
};

struct bus_and_memory : test_bench {
  explicit bus_and_memory(const simulation_settings& settings = {}) : test_bench(settings) {
    bind(core, "bus", bus, "in");
  }

  memory_bus& bus = add<memory_bus>("bus", [](bus_parameters& p) { p.latency.set({bus_latency}); });
  memory& ram = add<memory>("ram", [](memory_parameters& p) {
    p.latency.set({memory_latency});
    p.rate.set(bandwidth(1'000'000'000'000));  // 1 B/ps
  });
  memory_initiator& core = add_stimulus<memory_initiator>("core");
};

constexpr fs_t direct_time = bus_latency + memory_latency + 4'000;

// A word is written and read back.
void access_through(bus_and_memory& bench, fs_t expected) {
  std::uint32_t word = 0x12345678, got = 0;
  memory_initiator::result written, read;
  bench.at(0, [&] { written = bench.core.write(base + 0x10, &word, 4); });
  bench.at(fs_per_us, [&] { read = bench.core.read(base + 0x10, &got, 4); });
  bench.run();
  CHECK(written.status == tlm::TLM_OK_RESPONSE);
  CHECK(written.done == expected);
  CHECK(read.done == fs_per_us + expected);
  CHECK(got == word);
  CHECK(bench.ram.statistics()->all()[0]->raw() == 1);  // reads
}

// The same with a component between bus and memory, which sees both accesses.
template <class Passage>
void access_past() {
  bus_and_memory bench;
  auto& passage = bench.add_stimulus<Passage>("passage");
  bench.map(bench.bus, base, 0x1000, passage, "in");
  bench.bind(passage, "out", bench.ram, "in");
  access_through(bench, direct_time + passage_latency);
  CHECK(passage.accesses == 2);
}

}  // namespace

TEST_CASE("a memory behind a bus is called directly, with its own address") {
  bus_and_memory bench;
  bench.map(bench.bus, base, 0x1000, bench.ram, "in");
  access_through(bench, direct_time);
}

TEST_CASE("a foreign component in front of a memory sees every access of a bus") {
  access_past<foreign_passage>();
}

TEST_CASE("a bridge in front of a memory sees every access of a bus") {
  access_past<known_passage>();
}

TEST_CASE("a bus behind a bus is called with its own address") {
  bus_and_memory bench;
  auto& next = bench.add<memory_bus>("next");
  bench.map(bench.bus, base, 0x1000, next, "in");
  bench.map(next, 0, 0x1000, bench.ram, "in");
  access_through(bench, direct_time);
  CHECK(next.statistics()->all()[0]->raw() == 2);  // accesses
}

TEST_CASE("a monitor between a bus and a memory sees every access") {
  simulation_settings settings;
  settings.has_monitors = true;
  bus_and_memory bench(settings);
  bench.map(bench.bus, base, 0x1000, bench.ram, "in");
  std::uint32_t word = 0;
  tlm::tlm_generic_payload spoiled;
  unsigned char enable = 0x01;
  set_access(spoiled, tlm::TLM_READ_COMMAND, base, &word, 4);
  spoiled.set_byte_enable_ptr(&enable);
  spoiled.set_byte_enable_length(1);
  bench.at(fs_per_ns, [&] { bench.core.transport(spoiled, 0); });
  bench.run();
  const std::string told =
      "bus.range_0 -> ram.in: protocol violation at 1 ns: read of 4 B at 0x0: byte enable 0 is "
      "0x1, neither 0x0 nor 0xff";
  const auto& failures = bench.failures();
  CHECK(std::count(failures.begin(), failures.end(), told) == 1);
}
