#include "transactors/monitors/phase_rules.hpp"

#include <catch2/catch.hpp>

#include "transactors/memory/access.hpp"

using namespace heddle;

namespace {

constexpr auto forward = phase_rules::direction::forward;
constexpr auto backward = phase_rules::direction::backward;

struct one_hop {
  phase_rules rules;
  unsigned char data[8] = {};
  tlm::tlm_generic_payload first, second;

  one_hop() {
    set_access(first, tlm::TLM_READ_COMMAND, 0x10, data, 8);
    set_access(second, tlm::TLM_READ_COMMAND, 0x20, data, 8);
  }
  std::string begin(tlm::tlm_generic_payload& p, fs_t when = 0) {
    return rules.enter(p, tlm::BEGIN_REQ, forward, when);
  }
  std::string end_request(tlm::tlm_generic_payload& p, fs_t when = 0) {
    return rules.enter(p, tlm::END_REQ, backward, when);
  }
  std::string respond(tlm::tlm_generic_payload& p, fs_t when = 0) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return rules.enter(p, tlm::BEGIN_RESP, backward, when);
  }
  std::string end_response(tlm::tlm_generic_payload& p, fs_t when = 0) {
    return rules.enter(p, tlm::END_RESP, forward, when);
  }
};

}  // namespace

TEST_CASE("four phases in order, twice, are fine") {
  one_hop hop;
  for (int round = 0; round < 2; ++round) {
    hop.first.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    CHECK(hop.begin(hop.first).empty());
    CHECK(hop.end_request(hop.first).empty());
    CHECK(hop.respond(hop.first).empty());
    CHECK(hop.end_response(hop.first).empty());
  }
}

TEST_CASE("BEGIN_RESP implies END_REQ") {
  one_hop hop;
  hop.begin(hop.first);
  CHECK(hop.respond(hop.first).empty());
  CHECK(hop.begin(hop.second).empty());
}

TEST_CASE("phases out of order") {
  one_hop hop;
  CHECK(hop.end_request(hop.first) == "END_REQ without BEGIN_REQ");
  hop.begin(hop.first);
  CHECK(hop.end_response(hop.first) == "END_RESP after BEGIN_REQ");
  hop.end_request(hop.first);
  CHECK(hop.end_request(hop.first) == "END_REQ after END_REQ");
  hop.respond(hop.first);
  CHECK(hop.respond(hop.first) == "BEGIN_RESP after BEGIN_RESP");
}

TEST_CASE("phases from the wrong side") {
  one_hop hop;
  CHECK(hop.rules.enter(hop.first, tlm::BEGIN_REQ, backward, 0) == "BEGIN_REQ from the target");
  hop.begin(hop.first);
  CHECK(hop.rules.enter(hop.first, tlm::END_REQ, forward, 0) == "END_REQ from the initiator");
}

TEST_CASE("phases that go back in time") {
  one_hop hop;
  hop.begin(hop.first, 10);
  CHECK(hop.end_request(hop.first, 9) == "END_REQ at 9 fs, before BEGIN_REQ at 10 fs");
}

TEST_CASE("one request at a time") {
  one_hop hop;
  hop.begin(hop.first);
  CHECK(hop.begin(hop.second) == "BEGIN_REQ before END_REQ of the read of 8 B at 0x10");
}

TEST_CASE("one response at a time") {
  one_hop hop;
  hop.begin(hop.first);
  hop.end_request(hop.first);
  hop.begin(hop.second);
  hop.end_request(hop.second);
  CHECK(hop.respond(hop.first).empty());
  CHECK(hop.respond(hop.second) == "BEGIN_RESP before END_RESP of the read of 8 B at 0x10");
}

TEST_CASE("a payload that is used again while in flight") {
  one_hop hop;
  hop.begin(hop.first);
  hop.end_request(hop.first);
  CHECK(hop.begin(hop.first) == "BEGIN_REQ with a payload that is still in flight");
}

TEST_CASE("a response without a status") {
  one_hop hop;
  hop.begin(hop.first);
  CHECK(hop.rules.enter(hop.first, tlm::BEGIN_RESP, backward, 0) ==
        "the response status is still TLM_INCOMPLETE_RESPONSE");
}

TEST_CASE("what calls may return") {
  one_hop hop;
  const tlm::tlm_phase begin_request = tlm::BEGIN_REQ, end_request = tlm::END_REQ,
                       begin_response = tlm::BEGIN_RESP, end_response = tlm::END_RESP;
  const auto leave = [&](const tlm::tlm_phase& called, phase_rules::direction from,
                         tlm::tlm_sync_enum result, const tlm::tlm_phase& returned,
                         bool is_delayed = false) {
    return hop.rules.leave(hop.first, called, from, result, returned, is_delayed, 0);
  };
  hop.begin(hop.first);
  CHECK(leave(begin_request, forward, tlm::TLM_ACCEPTED, begin_request).empty());
  CHECK(leave(begin_request, forward, tlm::TLM_ACCEPTED, end_request) ==
        "BEGIN_REQ returned TLM_ACCEPTED with another phase or delay");
  CHECK(leave(begin_request, forward, tlm::TLM_ACCEPTED, begin_request, true) ==
        "BEGIN_REQ returned TLM_ACCEPTED with another phase or delay");
  CHECK(leave(begin_request, forward, tlm::TLM_UPDATED, end_response) ==
        "END_RESP from the target");
  CHECK(leave(begin_request, forward, tlm::TLM_UPDATED, end_request).empty());
  CHECK(leave(end_request, backward, tlm::TLM_COMPLETED, end_request) ==
        "END_REQ returned TLM_COMPLETED");
  CHECK(leave(end_request, backward, tlm::TLM_UPDATED, begin_response) ==
        "END_REQ returned TLM_UPDATED");
  hop.respond(hop.first);
  CHECK(leave(begin_response, backward, tlm::TLM_UPDATED, end_response).empty());
  CHECK_FALSE(hop.rules.is_open(hop.first));
}

TEST_CASE("a request that is completed at once needs a status") {
  one_hop hop;
  const tlm::tlm_phase called = tlm::BEGIN_REQ;
  hop.begin(hop.first);
  CHECK(hop.rules.leave(hop.first, called, forward, tlm::TLM_COMPLETED, called, false, 0) ==
        "the response status is still TLM_INCOMPLETE_RESPONSE");
  CHECK(hop.begin(hop.first).empty());
}
