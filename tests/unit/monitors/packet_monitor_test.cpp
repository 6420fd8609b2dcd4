#include <catch2/catch.hpp>

#include "tests/unit/monitors/packet_monitor_bench.hpp"

using namespace heddle;

namespace {

using texts = std::vector<std::string>;

// What the monitor says about one request at time 0 that `spoil` has changed.
texts verdict(const std::function<void(packet&)>& spoil, fs_t delay = 10 * fs_per_ns) {
  packet_monitor_bench bench;
  packet p = bench.request(0);
  spoil(p);
  bench.at(0, [&] { bench.send(p, delay); });
  bench.run();
  CHECK(bench.wire.heads == 1);
  return bench.failures();
}

texts about_request(const std::string& rule) {
  return {
      "a -> b: protocol violation at 0 s: write_request with tag 0 from endpoint 0 to "
      "endpoint 1, 80 B on vc 0: " +
      rule};
}

}  // namespace

TEST_CASE("a packet that breaks no rule passes in silence") {
  CHECK(verdict([](packet&) {}).empty());
}

TEST_CASE("a head that does not agree with the call") {
  CHECK(verdict([](packet& p) {
          p.head += 1;
          p.tail += 1;
        }) == about_request("head is at 10000001 fs, the call says 10000000 fs"));
}

TEST_CASE("a head that overtakes the light") {
  CHECK(verdict(
            [](packet& p) {
              p.head -= 1;
              p.tail -= 1;
            },
            10 * fs_per_ns - 1) ==
        about_request("head arrives after 9999999 fs, the link takes 10000000 fs"));
}

TEST_CASE("a tail that comes sooner than the wire can carry") {
  CHECK(verdict([](packet& p) { p.tail -= 1; }) ==
        about_request("tail is at 10079999 fs, but the wire carries the packet from 10000000 fs "
                      "until 10080000 fs"));
}

TEST_CASE("a tail may come later, when cut-through waits for bytes") {
  CHECK(verdict([](packet& p) { p.tail += 1000; }).empty());
}

TEST_CASE("a packet too small for its payload and headers") {
  CHECK(verdict([](packet& p) {
          p.payload_bytes = 79;
          p.train = 2;
        }) == about_request("80 B do not hold a payload of 79 B and 2 headers"));
}

TEST_CASE("a write of nothing") {
  CHECK(verdict([](packet& p) { p.payload_bytes = 0; }) == about_request("a payload of no bytes"));
}

TEST_CASE("data without bytes") {
  CHECK(verdict([](packet& p) { p.carries_data = true; }) ==
        about_request("carries data, but no bytes"));
}

TEST_CASE("a train of no packets") {
  CHECK(verdict([](packet& p) { p.train = 0; }) == about_request("a train of no packets"));
}

TEST_CASE("headers of a train that differ") {
  const texts got = verdict([](packet& p) {
    p.kind = packet_kind::read_request;
    p.train = 3;
  });
  CHECK(got == texts{"a -> b: protocol violation at 0 s: read_request with tag 0 from endpoint 0 "
                     "to endpoint 1, 80 B on vc 0: 80 B are not 3 equal headers"});
}

TEST_CASE("a virtual channel that the link does not have") {
  const texts got = verdict([](packet& p) { p.vc = 2; });
  REQUIRE(got.size() == 1);
  CHECK(got[0] ==
        "a -> b: protocol violation at 0 s: write_request with tag 0 from endpoint 0 to "
        "endpoint 1, 80 B on vc 2: the link has 2 virtual channels");
}

TEST_CASE("a request on a channel of responses") {
  const texts got = verdict([](packet& p) { p.vc = 1; });
  REQUIRE(got.size() == 1);
  CHECK(got[0] ==
        "a -> b: protocol violation at 0 s: write_request with tag 0 from endpoint 0 to "
        "endpoint 1, 80 B on vc 1: requests use the virtual channels below 1, responses "
        "the others");
}

TEST_CASE("an endpoint that the fabric does not have") {
  const texts got = verdict([](packet& p) { p.destination = 2; });
  CHECK(got == texts{"a -> b: protocol violation at 0 s: write_request with tag 0 from endpoint 0 "
                     "to endpoint 2, 80 B on vc 0: the fabric has 2 endpoints"});
}

TEST_CASE("packets back to back may touch on the wire but not overlap") {
  packet_monitor_bench bench;
  packet first = bench.request(0, 1), second = bench.request(80 * fs_per_ps, 2),
         third = bench.request(160 * fs_per_ps - 1, 3);
  bench.at(0, [&] { bench.send(first); });
  bench.at(80 * fs_per_ps, [&] { bench.send(second); });
  bench.at(160 * fs_per_ps - 1, [&] { bench.send(third); });
  bench.run();
  CHECK(bench.failures() ==
        texts{"a -> b: protocol violation at 160 ps: write_request with tag 3 from endpoint 0 "
              "to endpoint 1, 80 B on vc 0: head arrives at 10159999 fs, before the tail of the "
              "packet in front, at 10160000 fs"});
}

TEST_CASE("the gaps of a packet that comes slowly are for other virtual channels alone") {
  packet_monitor_bench bench;
  packet slow = bench.request(0, 1), second = bench.request(80 * fs_per_ps, 2),
         third = bench.request(300 * fs_per_ps, 3);
  slow.tail += 500 * fs_per_ps;
  second.is_inc = true;
  second.vc = inc_vc_of(second.kind);
  bench.at(0, [&] { bench.send(slow); });
  bench.at(80 * fs_per_ps, [&] { bench.send(second); });
  bench.at(300 * fs_per_ps, [&] { bench.send(third); });
  bench.run();
  CHECK(bench.failures() ==
        texts{"a -> b: protocol violation at 300 ps: write_request with tag 3 from endpoint 0 "
              "to endpoint 1, 80 B on vc 0: head arrives at 10300000 fs, before the tail of the "
              "packet in front, at 10580000 fs"});
}

TEST_CASE("a packet of another virtual channel waits until the wire has carried the one in front") {
  packet_monitor_bench bench;
  packet first = bench.request(0, 1), second = bench.request(79 * fs_per_ps, 2);
  second.is_inc = true;
  second.vc = inc_vc_of(second.kind);
  bench.at(0, [&] { bench.send(first); });
  bench.at(79 * fs_per_ps, [&] { bench.send(second); });
  bench.run();
  REQUIRE(bench.failures().size() == 1);
  CHECK_THAT(bench.failures().front(),
             Catch::Contains("head arrives at 10079000 fs, the wire is taken until 10080000 fs"));
}

TEST_CASE("a fourth packet overruns the buffer of three") {
  packet_monitor_bench bench;
  packet p[4];
  for (std::uint32_t i = 0; i < 4; ++i) {
    p[i] = bench.request(i * 80 * fs_per_ps, i);
    bench.at(i * 80 * fs_per_ps, [&bench, &p, i] { bench.send(p[i]); });
  }
  bench.run();
  CHECK(bench.failures() ==
        texts{"a -> b: protocol violation at 240 ps: write_request with tag 3 from endpoint 0 to "
              "endpoint 1, 80 B on vc 0: sent without credits: 240 of the buffer's 256 B are "
              "taken"});
}

// The buffer is free at 11 ns, the sender learns at 21 ns.
static texts sent_again_at(fs_t when) {
  packet_monitor_bench bench;
  packet p[4];
  for (std::uint32_t i = 0; i < 3; ++i) {
    p[i] = bench.request(i * 80 * fs_per_ps, i);
    bench.at(i * 80 * fs_per_ps, [&bench, &p, i] { bench.send(p[i]); });
  }
  bench.at(10 * fs_per_ns, [&] { bench.give_credit(p[0], fs_per_ns); });
  p[3] = bench.request(when, 3);
  bench.at(when, [&] { bench.send(p[3]); });
  bench.run();
  CHECK(bench.wire.credits == 1);
  return bench.failures();
}

TEST_CASE("a credit counts when it has reached the sender") {
  CHECK(sent_again_at(21 * fs_per_ns).empty());
}

TEST_CASE("a credit does not count one femtosecond sooner") {
  CHECK(sent_again_at(21 * fs_per_ns - 1).size() == 1);
}

TEST_CASE("credits that nobody spent") {
  packet_monitor_bench bench;
  packet p = bench.request(0);
  bench.at(0, [&] { bench.send(p); });
  bench.at(20 * fs_per_ns, [&] {
    bench.give_credit(p);
    bench.give_credit(p);
  });
  bench.run();
  CHECK(bench.failures() ==
        texts{"a -> b: protocol violation at 20 ns: write_request with tag 0 from endpoint 0 to "
              "endpoint 1, 80 B on vc 0: credit for 80 B, only 0 B were sent and not returned"});
}

TEST_CASE("a receiver that completes a head") {
  packet_monitor_bench bench;
  packet p = bench.request(0);
  bench.wire.answer = tlm::TLM_COMPLETED;
  bench.at(0, [&] { bench.send(p); });
  bench.run();
  CHECK(bench.failures() ==
        texts{"a -> b: protocol violation at 0 s: a head: every call returns TLM_ACCEPTED"});
}

TEST_CASE("phases in the wrong direction") {
  packet_monitor_bench bench;
  packet p = bench.request(0);
  bench.at(0, [&] {
    packet_phase phase = packet_phase::credit;
    sc_core::sc_time delay = to_sc_time(10 * fs_per_ns);
    bench.wire.transmit->nb_transport_fw(p, phase, delay);
    phase = packet_phase::head;
    delay = sc_core::SC_ZERO_TIME;
    bench.wire.receive->nb_transport_bw(p, phase, delay);
  });
  bench.run();
  REQUIRE(bench.failures().size() == 2);
  CHECK_THAT(bench.failures()[0], Catch::EndsWith("only heads go forward"));
  CHECK_THAT(bench.failures()[1], Catch::EndsWith("only credits go backward"));
}
