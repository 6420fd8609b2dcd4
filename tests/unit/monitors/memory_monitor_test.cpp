#include <catch2/catch.hpp>

#include "tests/support/memory_initiator.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

using texts = std::vector<std::string>;

simulation_settings with_monitors() {
  simulation_settings settings;
  settings.has_monitors = true;
  return settings;
}

struct monitored_pair : test_bench {
  memory_initiator& initiator = add_stimulus<memory_initiator>("core");
  memory_target& target = add_stimulus<memory_target>("ram");
  unsigned char data[16] = {};
  tlm::tlm_generic_payload payload;

  monitored_pair() : test_bench(with_monitors()) {
    target.answers_later = true;
    bind(initiator, "bus", target, "in");
    set_access(payload, tlm::TLM_WRITE_COMMAND, 0x40, data, 16);
  }
  texts after(const std::function<void()>& action) {
    at(5 * fs_per_ns, action);
    run();
    return failures();
  }
  // Of one blocking access that the test has spoiled.
  texts verdict(fs_t delay = 0) {
    return after([this, delay] { initiator.transport(payload, delay); });
  }
};

const std::string here = "core.bus -> ram.in: protocol violation at 5 ns: ";
const std::string write = "write of 16 B at 0x40: ";

}  // namespace

TEST_CASE("an access that breaks no rule passes in silence and on time") {
  monitored_pair pair;
  pair.target.latency = 7;
  memory_initiator::result got;
  CHECK(pair.after([&] { got = pair.initiator.transport(pair.payload, 3); }).empty());
  CHECK(got.status == tlm::TLM_OK_RESPONSE);
  CHECK(got.done == 5 * fs_per_ns + 10);
  CHECK(pair.target.accesses.size() == 1);
}

TEST_CASE("no data pointer") {
  monitored_pair pair;
  pair.payload.set_data_ptr(nullptr);
  CHECK(pair.verdict() == texts{here + write + "no data pointer"});
}

TEST_CASE("a length of 0") {
  monitored_pair pair;
  pair.payload.set_data_length(0);
  CHECK(pair.verdict() == texts{here + "write of 0 B at 0x40: a data length of 0"});
}

TEST_CASE("data beyond the end of the address space") {
  monitored_pair pair;
  pair.payload.set_address(UINT64_MAX - 14);
  CHECK(pair.verdict() == texts{here + "write of 16 B at 0xfffffffffffffff1: the data end beyond "
                                       "the last address"});
}

TEST_CASE("a streaming width of 0") {
  monitored_pair pair;
  pair.payload.set_streaming_width(0);
  CHECK(pair.verdict() == texts{here + write + "a streaming width of 0"});
}

TEST_CASE("a byte enable that is neither on nor off") {
  monitored_pair pair;
  unsigned char enables[2] = {0xff, 0x01};
  pair.payload.set_byte_enable_ptr(enables);
  pair.payload.set_byte_enable_length(2);
  CHECK(pair.verdict() == texts{here + write + "byte enable 1 is 0x1, neither 0x0 nor 0xff"});
}

TEST_CASE("byte enables of length 0") {
  monitored_pair pair;
  unsigned char enables[2] = {0xff, 0xff};
  pair.payload.set_byte_enable_ptr(enables);
  CHECK(pair.verdict() == texts{here + write + "byte enables of length 0"});
}

TEST_CASE("a command that does not exist") {
  monitored_pair pair;
  pair.payload.set_command(static_cast<tlm::tlm_command>(3));
  CHECK(pair.verdict() == texts{here + "command of 16 B at 0x40: no such command: 3"});
}

TEST_CASE("a response status before the access") {
  monitored_pair pair;
  pair.payload.set_response_status(tlm::TLM_OK_RESPONSE);
  CHECK(pair.verdict() ==
        texts{here + write + "the response status is TLM_OK_RESPONSE before the access"});
}

TEST_CASE("direct access allowed by the initiator") {
  monitored_pair pair;
  pair.payload.set_dmi_allowed(true);
  CHECK(pair.verdict() == texts{here + write + "the initiator allows direct access itself"});
}

TEST_CASE("a target without an answer") {
  monitored_pair pair;
  pair.target.on_blocking = [](tlm::tlm_generic_payload&, sc_core::sc_time&) {};
  CHECK(pair.verdict() ==
        texts{here + write + "the response status is still TLM_INCOMPLETE_RESPONSE"});
}

TEST_CASE("a target that changes the length") {
  monitored_pair pair;
  pair.target.on_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    p.set_data_length(8);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  CHECK(pair.verdict() == texts{here + write + "the target changed the data length"});
}

TEST_CASE("a target that turns the delay back") {
  monitored_pair pair;
  pair.target.on_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    delay = sc_core::SC_ZERO_TIME;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  CHECK(pair.verdict(10) == texts{here + write + "starts at 5000010 fs and is done at 5000000 fs"});
}

TEST_CASE("a payload in two calls at the same time") {
  monitored_pair pair;
  pair.target.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    sc_core::wait(to_sc_time(10 * fs_per_ns));
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  // The violation stops the run before either call returns.
  for (const fs_t start : {fs_t{0}, 5 * fs_per_ns})
    pair.thread_that_may_hang([&pair, start] {
      sc_core::wait(to_sc_time(start));
      pair.initiator.transport(pair.payload, 0);
    });
  pair.run();
  CHECK(pair.failures() ==
        texts{here + write + "b_transport with a payload that is still in flight"});
}

TEST_CASE("non-blocking phases are followed through a real binding") {
  monitored_pair pair;
  const auto got = pair.after([&] {
    pair.initiator.begin(pair.payload);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    pair.target.socket->nb_transport_bw(pair.payload, phase, delay);
    pair.payload.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    pair.target.socket->nb_transport_bw(pair.payload, phase, delay);
  });
  CHECK(got.empty());
  CHECK(pair.initiator.phases.size() == 2);
}

TEST_CASE("a non-blocking payload without memory manager") {
  monitored_pair pair;
  pair.initiator.keeps_rules = false;
  CHECK(pair.after([&] { pair.initiator.begin(pair.payload); }) ==
        texts{here + write + "a payload without memory manager"});
}

TEST_CASE("a blocking access of a method process") {
  monitored_pair pair;
  sc_core::sc_spawn_options method;
  method.spawn_method();
  method.dont_initialize();
  sc_core::sc_event start;
  method.set_sensitivity(&start);
  sc_core::sc_spawn([&] { pair.initiator.transport(pair.payload, 0); }, "method", &method);
  CHECK(pair.after([&] { start.notify(); }) ==
        texts{here + write + "b_transport from a method process"});
}

TEST_CASE("a second request before the end of the first") {
  monitored_pair pair;
  tlm::tlm_generic_payload second;
  set_access(second, tlm::TLM_READ_COMMAND, 0x80, pair.data, 4);
  const auto got = pair.after([&] {
    pair.initiator.begin(pair.payload);
    pair.initiator.begin(second);
  });
  CHECK(got == texts{here + "read of 4 B at 0x80: BEGIN_REQ before END_REQ of the write of 16 B at "
                            "0x40"});
}

TEST_CASE("a target that says accepted but changes the phase") {
  monitored_pair pair;
  pair.target.on_forward = [](tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = tlm::END_REQ;
    return tlm::TLM_ACCEPTED;
  };
  CHECK(pair.after([&] { pair.initiator.begin(pair.payload); }) ==
        texts{here + write + "BEGIN_REQ returned TLM_ACCEPTED with another phase or delay"});
}

TEST_CASE("a debug access that moves more than it was asked for") {
  monitored_pair pair;
  pair.target.on_debug = [](tlm::tlm_generic_payload&) { return 17U; };
  CHECK(pair.after([&] { pair.initiator.debug(tlm::TLM_READ_COMMAND, 0x40, pair.data, 16); }) ==
        texts{here + "debug read of 16 B at 0x40: the target says that it moved 17 B"});
}

TEST_CASE("a region of direct access beside the address") {
  monitored_pair pair;
  pair.target.on_pointer = [&](tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_dmi_ptr(pair.data);
    dmi.set_start_address(0);
    dmi.set_end_address(0x3f);
    return true;
  };
  tlm::tlm_dmi dmi;
  CHECK(pair.after([&] { pair.initiator.ask_for_pointer(0x40, dmi); }) ==
        texts{here + "direct access at 0x40: the region is 0x0..0x3f"});
}

TEST_CASE("direct access without a pointer") {
  monitored_pair pair;
  pair.target.on_pointer = [](tlm::tlm_generic_payload&, tlm::tlm_dmi&) { return true; };
  tlm::tlm_dmi dmi;
  CHECK(pair.after([&] { pair.initiator.ask_for_pointer(0x40, dmi); }) ==
        texts{here + "direct access at 0x40: granted without a pointer"});
}
