#include "transactors/monitors/request_ledger.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/monitors/packet_monitor_bench.hpp"

using namespace heddle;

namespace {

packet response_to(const packet& request, packet_kind kind) {
  packet p;
  p.kind = kind;
  p.source = request.destination;
  p.destination = request.source;
  p.tag = request.tag;
  p.vc = 1;
  p.wire_bytes = 16;
  return p;
}

}  // namespace

TEST_CASE("each request gets one response, in any order") {
  const packet_monitor_bench bench;
  request_ledger ledger;
  const packet first = bench.request(0, 1), second = bench.request(0, 2);
  CHECK(ledger.request_leaves(first, "link").empty());
  CHECK(ledger.request_leaves(second, "link").empty());
  CHECK(ledger.open() == 2);
  CHECK(ledger.response_arrives(response_to(second, packet_kind::write_response)).empty());
  CHECK(ledger.response_arrives(response_to(first, packet_kind::write_response)).empty());
  CHECK(ledger.open() == 0);
  CHECK(ledger.request_leaves(first, "link").empty());  // the tag is free again
}

TEST_CASE("a tag that is in use") {
  const packet_monitor_bench bench;
  request_ledger ledger;
  CHECK(ledger.request_leaves(bench.request(0, 7), "link").empty());
  CHECK(ledger.request_leaves(bench.request(0, 7), "link") ==
        "the tag is in use by a write_request with tag 7 from endpoint 0 to endpoint 1, 80 B on "
        "vc 0");
}

TEST_CASE("a second response and one of another kind") {
  const packet_monitor_bench bench;
  request_ledger ledger;
  const packet request = bench.request(0, 7);
  ledger.request_leaves(request, "link");
  CHECK(ledger.response_arrives(response_to(request, packet_kind::read_response)) ==
        "answers a write_request with tag 7 from endpoint 0 to endpoint 1, 80 B on vc 0");
  CHECK(ledger.response_arrives(response_to(request, packet_kind::write_response)) ==
        "answers no request");
}

TEST_CASE("a request without response is lost once nothing can happen any more") {
  packet_monitor_bench bench;
  packet p = bench.request(0, 7);
  bench.at(0, [&] { bench.send(p); });
  bench.run();
  CHECK(bench.failures().empty());
  bench.sim.service<request_ledger>().report_lost(bench.sim);
  CHECK(bench.failures() ==
        std::vector<std::string>{"a -> b: protocol violation at 0 s: write_request with tag 7 from "
                                 "endpoint 0 to endpoint 1, 80 B on vc 0: never gets a response"});
}
