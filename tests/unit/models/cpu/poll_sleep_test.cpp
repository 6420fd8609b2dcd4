// A core that sleeps through its polls is told apart from one that polls by nothing but speed:
// times, counters, and what others at the same memory see are the same to the femtosecond.
#include <tlm_utils/simple_target_socket.h>

#include <catch2/catch.hpp>

#include <memory>
#include <random>

#include "models/cpu/native_core.hpp"
#include "models/memory/memory.hpp"
#include "platform/firmware/firmware_registry.hpp"
#include "platform/poll/poll_ledger.hpp"
#include "sw/hal/hal.h"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t word = 0x100, other_page = 0x5000;

// A component that nobody has told of polls: behind it cores have to make them.
class plain_bridge final : public unit {
 public:
  explicit plain_bridge(const unit_context& context)
      : unit(context),
        in_("in"),
        out_("out"),
        in_port_(*this, "in", in_),
        out_port_(*this, "out", out_) {
    in_.register_b_transport(this, &plain_bridge::b_transport);
    in_.register_transport_dbg(this, &plain_bridge::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    out_->b_transport(payload, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return out_->transport_dbg(payload); }

  tlm_utils::simple_target_socket<plain_bridge> in_;
  tlm_utils::simple_initiator_socket<plain_bridge> out_;
  memory_target_port in_port_;
  memory_initiator_port out_port_;
};

// What happens at a memory besides the poll. Threads and the agenda's calls are both used: they run
// in different phases of an instant.
struct disturbance {
  fs_t when = 0;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_write = false, is_call = false;
  std::uint32_t value = 0;
};

struct scenario {
  fs_t latency = 0, bus_latency = 0;
  std::uint64_t bytes_per_second = 0;
  std::vector<disturbance> disturbances;
  std::uint64_t timeout_ns = 0;
};

struct outcome {
  std::vector<fs_t> stamps, others;
  int result = 9;
  bool operator==(const outcome& with) const {
    return stamps == with.stamps && others == with.others && result == with.result;
  }
};

// A core, its bus and its memory; with a bridge between, the core polls.
struct system_part {
  system_part(test_bench& bench, const std::string& name, const scenario& s, bool has_bridge)
      : disturber(bench.add_stimulus<memory_initiator>(name + "_disturber")),
        bus(bench.add<memory_bus>(name + "_bus",
                                  [&](bus_parameters& p) { p.latency.set({s.bus_latency}); })),
        ram(bench.add<memory>(name + "_ram",
                              [&](memory_parameters& p) {
                                p.size.set({1 << 20});
                                p.latency.set({s.latency});
                                p.rate.set(bandwidth(s.bytes_per_second));
                              })),
        core(bench.add<native_core>(name + "_core",
                                    [&](native_core_parameters& p) { p.firmware.set("poll"); })) {
    bench.map(bus, 0, 1 << 20, ram, "in");
    if (has_bridge) {
      auto& bridge = bench.add_stimulus<plain_bridge>(name + "_bridge");
      bench.bind(core, "bus", bridge, "in");
      bench.bind(bridge, "out", bus, "in");
    } else {
      bench.bind(core, "bus", bus, "in");
    }
    bench.bind(disturber, "bus", bus, "in");
    for (const disturbance& each : s.disturbances) disturb(bench, each);
  }

  void disturb(test_bench& bench, const disturbance& what) {
    if (!what.is_call) return bench.at(what.when, [this, what] { access(what); });
    calls.push_back(std::make_unique<call>(*this, what));
    calls.back()->due.at(what.when);
  }

  void access(const disturbance& what) {
    std::vector<unsigned char> data(what.bytes);
    std::memcpy(data.data(), &what.value, std::min<std::size_t>(what.bytes, sizeof what.value));
    seen.others.push_back((what.is_write ? disturber.write(what.address, data.data(), what.bytes)
                                         : disturber.read(what.address, data.data(), what.bytes))
                              .done);
  }

  struct call {
    call(system_part& p, const disturbance& d)
        : part(p), what(d), due(timed_call::to<call, &call::run>(*this)) {}
    void run() { part.access(what); }
    system_part& part;
    disturbance what;
    timed_call due;
  };

  std::vector<std::uint64_t> counters() const {
    std::vector<std::uint64_t> values;
    for (const unit* each : std::initializer_list<const unit*>{&bus, &ram, &core})
      for (const statistic* one : each->statistics()->all()) values.push_back(one->raw());
    return values;
  }

  memory_initiator& disturber;
  memory_bus& bus;
  memory& ram;
  native_core& core;
  std::vector<std::unique_ptr<call>> calls;
  outcome seen;
  std::uint64_t timeout_ns = 0;
};

// Among so many cores each one sleeps; the others are only counted.
void be_one_of_many(test_bench& bench) {
  for (int i = 0; i < native_core::most_that_poll; ++i)
    bench.sim.service<run_control>().core_starts();
}

// Firmware runs on the core of the part that starts next.
std::vector<system_part*> starting;
std::size_t started = 0;
int firmware() {
  system_part& part = *starting[started++];
  for (std::uint32_t count = 1; count <= 3 && part.seen.result != HAL_TIMEOUT; ++count) {
    part.seen.result = hal_poll_reached32(word, count, part.timeout_ns);
    part.seen.stamps.push_back(now_fs());
  }
  return 0;
}
const bool is_registered = [] {
  firmware_registry::instance().add("poll", &firmware);
  return true;
}();

scenario random_scenario(std::mt19937_64& random) {
  const auto any = [&](std::uint64_t from, std::uint64_t to) {
    return std::uniform_int_distribution<std::uint64_t>(from, to)(random);
  };
  scenario s;
  s.latency = any(0, 1) * any(1, 100) * fs_per_ns;
  s.bus_latency = any(0, 1) * 7 * fs_per_ns;
  s.bytes_per_second = any(0, 1) != 0 ? 4'800'000'000'000 : 3'000'000'000;
  s.timeout_ns = any(0, 3) == 0 ? any(100, 40'000) : 0;
  const fs_t grid = any(0, 1) != 0 ? fs_per_ns : 1;  // whole nanoseconds meet polls
  const fs_t period = 25 * fs_per_ns + s.latency + s.bus_latency;
  const std::uint64_t count = any(0, 12);
  for (std::uint64_t i = 0; i < count; ++i) {
    disturbance d;
    d.when = any(0, 40'000'000) * fs_per_ps / grid * grid;
    const bool is_meeting = any(0, 3) == 0;  // a poll, if undisturbed
    if (is_meeting) d.when = any(0, 100) * period + 25 * fs_per_ns;
    d.bytes = any(0, 1) != 0 ? 4 : 4096;
    d.address = any(0, 2) == 0 ? word + 4 * any(0, 2) : other_page;
    if (d.bytes > 4) d.address = other_page;
    d.is_write = any(0, 1) != 0;
    d.is_call = is_meeting || any(0, 1) != 0;  // two threads may meet in either order
    d.value = static_cast<std::uint32_t>(any(0, 3));
    s.disturbances.push_back(d);
  }
  return s;
}

// In time the core gets what it waits for, unless the scenario has it give up before.
void end_polls(scenario& s) {
  for (std::uint32_t count = 1; count <= 3; ++count)
    s.disturbances.push_back(
        {(50 + 9 * count) * fs_per_us + 333, word, 4, true, count % 2 != 0, count});
}

std::string text_of(const scenario& s) {
  std::string text = "latency " + std::to_string(s.latency) + ", bus " +
                     std::to_string(s.bus_latency) + ", B/s " + std::to_string(s.bytes_per_second) +
                     ", time-out " + std::to_string(s.timeout_ns);
  for (const disturbance& d : s.disturbances)
    text += "\n  " + std::to_string(d.when) + (d.is_call ? " call" : " thread") +
            (d.is_write ? " write " : " read ") + std::to_string(d.address) + " x " +
            std::to_string(d.bytes) + " value " + std::to_string(d.value);
  return text;
}

}  // namespace

TEST_CASE("a core that sleeps through polls sees and counts what one that polls does") {
  test_bench bench;
  be_one_of_many(bench);
  std::mt19937_64 random(20);
  std::vector<scenario> scenarios;
  std::vector<std::unique_ptr<system_part>> sleeping, polling;
  for (int i = 0; i < 200; ++i) {
    scenario s = random_scenario(random);
    end_polls(s);
    for (auto* parts : {&sleeping, &polling}) {
      const std::string name = (parts == &sleeping ? "s" : "p") + std::to_string(i);
      parts->push_back(std::make_unique<system_part>(bench, name, s, parts == &polling));
      parts->back()->timeout_ns = s.timeout_ns;
      starting.push_back(parts->back().get());
    }
    scenarios.push_back(s);
  }
  std::vector<std::vector<std::uint64_t>> halfway;
  bench.at(30 * fs_per_us + 7, [&] {
    bench.sim.service<sleeping_polls>().count();
    for (const auto& each : sleeping) halfway.push_back(each->counters());
    for (const auto& each : polling) halfway.push_back(each->counters());
  });
  bench.run();
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    INFO("scenario " << i << ": " << text_of(scenarios[i]));
    CHECK(sleeping[i]->seen.stamps == polling[i]->seen.stamps);
    CHECK(sleeping[i]->seen.others == polling[i]->seen.others);
    CHECK(sleeping[i]->seen.result == polling[i]->seen.result);
    CHECK(sleeping[i]->counters() == polling[i]->counters());
    CHECK(halfway[i] == halfway[scenarios.size() + i]);
  }
}

TEST_CASE("a word to which an initiator has direct access is polled access by access") {
  test_bench bench;
  be_one_of_many(bench);
  scenario s{100 * fs_per_ns, 0, 4'800'000'000'000, {}, 0};
  system_part part(bench, "part", s, false);
  starting.push_back(&part);
  tlm::tlm_dmi before, after;
  bench.at(fs_per_us, [&] {  // the core sleeps; its page is left out
    CHECK(part.disturber.ask_for_pointer(other_page, before));
    CHECK(before.get_start_address() == 0x1000);
  });
  bench.at(2 * fs_per_us, [&] {
    REQUIRE(part.disturber.ask_for_pointer(word, after));
    CHECK(after.get_start_address() == 0);
  });
  for (std::uint32_t count = 1; count <= 3; ++count)
    bench.at(3 * count * fs_per_us,
             [&, count] { std::memcpy(after.get_dmi_ptr() + word, &count, sizeof count); });
  bench.run();
  const fs_t period = 125 * fs_per_ns + 1;  // 4 B at 4.8 TB/s, rounded up
  REQUIRE(part.seen.stamps.size() == 3);
  for (fs_t count = 1; count <= 3; ++count) {
    CHECK(part.seen.stamps[count - 1] > 3 * count * fs_per_us);
    CHECK(part.seen.stamps[count - 1] < 3 * count * fs_per_us + 2 * period);
  }
}
