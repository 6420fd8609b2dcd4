// Registers that let a loosely timed initiator catch up with the time it has run ahead.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <catch2/catch.hpp>

#include "platform/time/fs_time.hpp"
#include "tests/unit/registers/register_bus.hpp"

using namespace heddle;
namespace block = heddle::everything_regs;

namespace {

struct sync_target : sc_core::sc_module {
  register_bus bus;
  tlm_utils::simple_target_socket<sync_target> socket{"socket"};

  explicit sync_target(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &sync_target::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    bus.regs.b_transport(payload, delay);
  }
};

// What one access left behind.
struct outcome {
  fs_t now;
  fs_t delay;
  tlm::tlm_response_status status;
  bool operator==(const outcome& other) const {
    return now == other.now && delay == other.delay && status == other.status;
  }
};

struct sync_initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<sync_initiator> socket{"socket"};
  register_bus& bus;
  std::vector<outcome> outcomes;

  SC_HAS_PROCESS(sync_initiator);
  sync_initiator(sc_core::sc_module_name name, register_bus& used) : sc_module(name), bus(used) {
    SC_THREAD(run);
  }

  void run() {
    access(tlm::TLM_WRITE_COMMAND, block::events_offset);   // never
    access(tlm::TLM_WRITE_COMMAND, block::command_offset);  // write
    access(tlm::TLM_READ_COMMAND, block::progress_offset);  // read
    access(tlm::TLM_READ_COMMAND, block::clock_offset);     // always
    access(tlm::TLM_WRITE_COMMAND, block::clock_offset);
    access(tlm::TLM_WRITE_COMMAND, block::id_offset);  // refused: does not wait
  }
  void access(tlm::tlm_command command, std::uint64_t address) {
    std::uint32_t data = 1;
    sc_core::sc_time delay = to_sc_time(10 * fs_per_ns);
    bus.prepare(command, address, reinterpret_cast<unsigned char*>(&data), 4);
    socket->b_transport(bus.payload, delay);
    outcomes.push_back({now_fs(), to_fs(delay), bus.payload.get_response_status()});
  }
};

}  // namespace

TEST_CASE("a thread waits for its delay before the access takes effect") {
  sync_target target("target");
  sync_initiator initiator("initiator", target.bus);
  initiator.socket.bind(target.socket);
  fs_t started = 0;
  target.bus.regs.command.on_write([&](std::uint32_t, std::uint32_t) { started = now_fs(); });
  sc_core::sc_start();

  const fs_t step = 10 * fs_per_ns;
  CHECK(initiator.outcomes ==
        std::vector<outcome>{{0, step, tlm::TLM_OK_RESPONSE},
                             {step, 0, tlm::TLM_OK_RESPONSE},
                             {2 * step, 0, tlm::TLM_OK_RESPONSE},
                             {3 * step, 0, tlm::TLM_OK_RESPONSE},
                             {4 * step, 0, tlm::TLM_OK_RESPONSE},
                             {4 * step, step, tlm::TLM_COMMAND_ERROR_RESPONSE}});
  CHECK(started == step);
  const register_audit& record = target.bus.audit.records().at(0);
  CHECK(record.time == 5 * step);
  CHECK(record.initiator == "initiator.run");
}

TEST_CASE("a caller that is no thread keeps its delay") {
  register_bus bus;
  std::uint32_t data = 1;
  sc_core::sc_time delay = to_sc_time(5 * fs_per_ns);
  bus.prepare(tlm::TLM_WRITE_COMMAND, block::command_offset,
              reinterpret_cast<unsigned char*>(&data), 4);
  bus.regs.b_transport(bus.payload, delay);
  CHECK(bus.payload.get_response_status() == tlm::TLM_OK_RESPONSE);
  CHECK(to_fs(delay) == 5 * fs_per_ns);
}
