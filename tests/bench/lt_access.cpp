// `lt-access`: what a loosely timed 32-bit read costs an initiator behind a bus with eight ranges,
// four register blocks and four memories; each access goes to a random one of its four.
//
// The floor is the same call into one target that hands out a word: simple sockets at both ends,
// nothing between.
#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "models/dma/dma_regs.hpp"
#include "models/memory/memory.hpp"
#include "platform/random/random_stream.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/bench/measurement.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {
namespace {

constexpr int rounds = 15;
constexpr int accesses_of_a_round = 400'000;
constexpr int targets = 4;  // of each kind
constexpr std::uint64_t range_bytes = 4096;

// Words as a firmware reads them: of a register without hooks, or of a memory.
struct register_block final : unit {
  explicit register_block(const unit_context& context)
      : unit(context), registers(context), socket(*this, "registers", registers) {}
  dma_registers registers;
  register_socket socket;
};

struct trivial_target final : sc_core::sc_module {
  explicit trivial_target(sc_core::sc_module_name name) : sc_module(name), socket("in") {
    socket.register_b_transport(this, &trivial_target::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    std::memcpy(payload.get_data_ptr(), &words[payload.get_address() / 4 % words.size()], 4);
    delay += latency;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::array<std::uint32_t, 1024> words{};
  sc_core::sc_time latency = to_sc_time(10 * fs_per_ns);
  tlm_utils::simple_target_socket<trivial_target> socket;
};

class access_bench final : public unit {
 public:
  explicit access_bench(const unit_context& context)
      : unit(context), mapped_("mapped"), direct_("direct"), port_(*this, "mapped", mapped_) {
    direct_.bind(target_.socket);
  }

  memory_initiator_port& port() { return port_; }

  // Nanoseconds of one read, of `offset` in a random one of the ranges from `first_range` on.
  double read_mapped(int first_range, std::uint64_t offset) {
    return read(mapped_, first_range * range_bytes + offset, targets);
  }
  double read_direct() { return read(direct_, 0, 1); }

 private:
  using socket = tlm_utils::simple_initiator_socket<access_bench>;

  double read(socket& through, std::uint64_t base, int ranges) {
    std::uint32_t word = 0;
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_READ_COMMAND, 0, &word, sizeof word);
    const double before = cpu_seconds();
    for (int i = 0; i < accesses_of_a_round; ++i) {
      payload.set_address(base + random_.below(ranges) * range_bytes);
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      sc_core::sc_time delay;
      through->b_transport(payload, delay);
      if (!payload.is_response_ok()) throw std::logic_error("a benchmark's access failed");
    }
    return 1e9 * (cpu_seconds() - before) / accesses_of_a_round;
  }

  trivial_target target_{"target"};
  socket mapped_, direct_;
  memory_initiator_port port_;
  random_stream random_{1, "lt-access"};
};

std::vector<bench_row> measure() {
  simulation sim{simulation_settings{}};
  memory_bus bus(unit_context("bus", sim), bus_parameters());
  access_bench bench(unit_context("initiator", sim));
  bench.port().connect(*bus.find_port("in"), nullptr);
  std::vector<std::unique_ptr<unit>> behind;
  for (int i = 0; i < 2 * targets; ++i) {
    const unit_context context(fmt::format("target[{}]", i), sim);
    if (i < targets)
      behind.push_back(std::make_unique<register_block>(context));
    else
      behind.push_back(std::make_unique<memory>(context, memory_parameters()));
    bus.add_range(i * range_bytes, range_bytes, false)
        .connect(*behind.back()->ports().front(), nullptr);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  std::vector<bench_row> rows;
  const auto add_row = [&](const char* name, int first, std::uint64_t offset, double bar) {
    const measured_pair measured = measure_in_turns(
        rounds, [&] { return bench.read_mapped(first, offset); },
        [&] { return bench.read_direct(); });
    rows.push_back(cost_row(std::string("lt-access.") + name, "ns", measured, bar));
  };
  add_row("register", 0, dma_regs::irq_enable_offset, 2.0);
  add_row("memory", targets, 0, 3.0);
  return rows;
}

[[maybe_unused]] const bool is_registered = add_benchmark("lt-access", measure);

}  // namespace
}  // namespace heddle
