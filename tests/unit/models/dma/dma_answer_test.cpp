// Any TLM-2.0 target may stand behind the engine's `fabric` port: each answer that the base
// protocol knows has to bring two bursts to their end.
#include <catch2/catch.hpp>

#include "tests/unit/models/dma/dma_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t answer_time = 40 * fs_per_ns;
constexpr fs_t first_burst =
    2 * dma_bench::latency + dma_bench::descriptor + 4096 * dma_bench::per_byte;

struct answered_bench : dma_bench {
  std::vector<tlm::tlm_generic_payload*> asked;
  int ends_of_responses = 0;
  std::uint32_t done = 0;

  answered_bench() : dma_bench({}, true) {}

  // `answer` gets every BEGIN_REQ.
  void run_two_bursts(const std::function<tlm::tlm_sync_enum(
                          tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>& answer) {
    stub.on_forward = [this, answer](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
      if (phase == tlm::END_RESP) {
        ++ends_of_responses;
        return tlm::TLM_ACCEPTED;
      }
      asked.push_back(&p);
      return answer(p, phase, delay);
    };
    at(0, [this] {
      open(0);
      post(0, 0, copy(0x1000, far_base, 2 * 4096));
      ring_doorbell(0, 1);
      sc_core::wait(to_sc_time(10 * fs_per_us));
      done = completed(0);
    });
    run();
  }
  void respond_later(tlm::tlm_generic_payload& p) {
    sc_core::sc_spawn([this, &p] {
      sc_core::wait(to_sc_time(answer_time));
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      stub.socket->nb_transport_bw(p, phase, delay);
    });
  }
};

}  // namespace

TEST_CASE("a fabric that completes at once") {
  answered_bench bench;
  bench.run_two_bursts([](auto& p, auto&, auto& delay) {
    delay += to_sc_time(answer_time);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  });
  CHECK(bench.asked.size() == 2);
  CHECK(bench.done == 1);
  CHECK(bench.failures().empty());
}

TEST_CASE("a fabric that begins the response at once") {
  answered_bench bench;
  bench.run_two_bursts([](auto& p, auto& phase, auto& delay) {
    delay += to_sc_time(answer_time);
    phase = tlm::BEGIN_RESP;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_UPDATED;
  });
  CHECK(bench.ends_of_responses == 2);
  CHECK(bench.done == 1);
  CHECK(bench.failures().empty());
}

TEST_CASE("a fabric that ends the request at once and responds later") {
  answered_bench bench;
  bench.run_two_bursts([&](auto& p, auto& phase, auto&) {
    phase = tlm::END_REQ;
    bench.respond_later(p);
    return tlm::TLM_UPDATED;
  });
  CHECK(bench.asked.size() == 2);
  CHECK(bench.done == 1);
  CHECK(bench.failures().empty());
}

TEST_CASE("a fabric whose response implies the end of the request") {
  answered_bench bench;
  bench.run_two_bursts([&](auto& p, auto&, auto&) {
    bench.respond_later(p);
    return tlm::TLM_ACCEPTED;
  });
  REQUIRE(bench.stub.accesses.size() == 2);
  CHECK(bench.stub.accesses[0].when == first_burst);
  CHECK(bench.stub.accesses[1].when == first_burst + answer_time);
  CHECK(bench.done == 1);
  CHECK(bench.failures().empty());
}
