// What a packetizer answers with an error.
#include <catch2/catch.hpp>

#include "tests/unit/transactors/fabric_pair.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t base = fabric_pair::base;

struct refusal_bench : fabric_pair {
  tlm::tlm_generic_payload payload;
  memory_initiator::result got;

  refusal_bench() { set_access(payload, tlm::TLM_WRITE_COMMAND, base, data.data(), 64); }
  void run_access() {
    at(1000, [&] { got = core.transport(payload, 0); });
    run();
  }
};

tlm::tlm_response_status status_of_atomic(atomic_operation operation, std::uint64_t offset,
                                          unsigned bytes) {
  refusal_bench bench;
  atomic_extension asked;
  asked.operation = operation;
  set_access(bench.payload, tlm::TLM_IGNORE_COMMAND, base + offset, bench.data.data(), bytes);
  bench.payload.set_extension(&asked);
  bench.run_access();
  bench.payload.clear_extension(&asked);
  return bench.got.status;
}

}  // namespace

TEST_CASE("nobody answers for the address") {
  refusal_bench bench;
  bench.payload.set_address(base - 1);
  bench.run_access();
  CHECK(bench.got.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench.got.done == 1000);
  CHECK(bench.near_ni->statistics()->all()[3]->raw() == 1);  // errors
}

TEST_CASE("an access that leaves its window") {
  refusal_bench bench;
  bench.payload.set_address(base + (1 << 30) - 63);
  bench.run_access();
  CHECK(bench.got.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_CASE("a word behind the data that leaves the window of the data") {
  refusal_bench bench;
  bulk_extension bulk;
  bulk.word = {base + (1 << 30) - 4, 1, 8};
  bench.payload.set_extension(&bulk);
  bench.run_access();
  bench.payload.clear_extension(&bulk);
  CHECK(bench.got.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK_FALSE(bulk.is_word_taken);
  CHECK(bench.ram.accesses.empty());
}

TEST_CASE("an error of the target comes back as one after the way there and back") {
  refusal_bench bench;
  bench.ram.on_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  };
  bench.run_access();
  CHECK(bench.got.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench.got.done == 1000 + (80 + 16) * 1000 + 2 * fabric_pair::latency);
  CHECK(bench.failures().empty());
}

TEST_CASE("byte enables do not fit into a packet") {
  refusal_bench bench;
  unsigned char enables[2] = {0xff, 0x00};
  bench.payload.set_byte_enable_ptr(enables);
  bench.payload.set_byte_enable_length(2);
  bench.run_access();
  CHECK(bench.got.status == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  CHECK(bench.ram.accesses.empty());
}

TEST_CASE("streaming does not fit into a packet") {
  refusal_bench bench;
  bench.payload.set_streaming_width(8);
  bench.run_access();
  CHECK(bench.got.status == tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST_CASE("an access without a data pointer, which no monitor tells") {
  fabric_pair pair({}, 1, 0, 1, false);
  std::vector<tlm::tlm_response_status> got;
  pair.at(1000, [&] {
    got.push_back(pair.core.read(base, nullptr, 64).status);
    got.push_back(pair.core.write(base, nullptr, 64).status);
  });
  pair.run();
  CHECK(got == std::vector<tlm::tlm_response_status>(2, tlm::TLM_GENERIC_ERROR_RESPONSE));
  CHECK(pair.ram.accesses.empty());
}

TEST_CASE("a command that asks for nothing succeeds") {
  refusal_bench bench;
  bench.payload.set_command(tlm::TLM_IGNORE_COMMAND);
  bench.run_access();
  CHECK(bench.got.status == tlm::TLM_OK_RESPONSE);
  CHECK(bench.ram.accesses.empty());
}

TEST_CASE("an atomic of two bytes") {
  CHECK(status_of_atomic(atomic_operation::swap, 8, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST_CASE("an atomic of 32 bits across words") {
  CHECK(status_of_atomic(atomic_operation::add, 10, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST_CASE("an atomic add across words") {
  CHECK(status_of_atomic(atomic_operation::add, 4, 8) == tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST_CASE("a refused non-blocking access still has its four phases") {
  refusal_bench bench;
  bench.payload.set_address(0);
  bench.at(1000, [&] { bench.core.begin(bench.payload); });
  bench.run();
  REQUIRE(bench.core.phases.size() == 2);
  CHECK(bench.core.phases[0].phase == tlm::END_REQ);
  CHECK(bench.core.phases[1].phase == tlm::BEGIN_RESP);
  CHECK(bench.core.phases[1].status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench.failures().empty());
}
