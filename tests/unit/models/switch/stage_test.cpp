// Stages of a switch, to the femtosecond: links of 1 B/ps and 1 ns, a switch of 100 ns, packets of
// 144 B that take 144 ps on a wire.
#include <catch2/catch.hpp>

#include "models/switch/switch.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"
#include "tests/unit/models/switch/toy_stage.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;
constexpr fs_t link_latency = ns;
constexpr fs_t forwarding = 100 * ns;
constexpr fs_t on_wire = 144'000;
constexpr fs_t plain_head = 2 * link_latency + forwarding;  // of what leaves its source at 0

constexpr stage_place ingress = stage_place::ingress;
constexpr stage_place middle = stage_place::middle;
constexpr stage_place egress = stage_place::egress;

const char* name_of(stage_place place) {
  return place == ingress ? "ingress" : place == middle ? "middle" : "egress";
}

struct staged_star : test_bench {
  packet_switch& hub;
  std::vector<packet_endpoint*> ends;
  std::vector<toy_stage*> stages;

  explicit staged_star(std::uint64_t buffer = 1 << 20, std::uint64_t pipes = 2)
      : hub(add<packet_switch>("hub", [&](switch_parameters& p) {
          p.ports.set(4);
          p.pipes.set(pipes);
        })) {
    for (int i = 0; i < 4; ++i) {
      const std::string index = std::to_string(i);
      ends.push_back(&add_stimulus<packet_endpoint>("end" + index));
      link(*ends.back(), "port", hub, "port[" + index + "]", [&](link_parameters& p) {
        p.rate.set(bandwidth(1'000'000'000'000));
        p.latency.set({link_latency});
        p.buffer.set({buffer});
      });
    }
  }

  // Wants what is addressed to end 3.
  toy_stage& join(const char* place, fs_t latency, const char* at = "all",
                  std::uint64_t rate = 1'000'000'000'000'000) {
    const std::string name = "toy" + std::to_string(stages.size());
    stages.push_back(&add<toy_stage>(name, [&](toy_parameters& p) {
      p.place.load(parse_yaml_text(place, "test.yaml"));
      p.at.set(at);
      p.latency.set({latency});
      p.rate.set(bandwidth(rate));
    }));
    stages.back()->wanted = ends[3]->id;
    bind(*stages.back(), "switch", hub, "inc");
    return *stages.back();
  }

  void send(int from, int to, std::uint32_t tag, std::uint32_t bytes = 144) {
    ends[from]->send(ends[to]->id, bytes, 0, tag);
  }
  fs_t head(int at, std::size_t index = 0) const { return ends[at]->arrivals.at(index).head; }
  fs_t tail(int at, std::size_t index = 0) const { return ends[at]->arrivals.at(index).tail; }
};

}  // namespace

TEMPLATE_TEST_CASE_SIG("a stage at ingress or in the middle delays what it wants, and nothing else",
                       "", ((stage_place at), at), ingress, middle) {
  staged_star s;
  toy_stage& toy = s.join(name_of(at), 7 * ns);
  s.at(0, [&] {
    s.send(0, 3, 1);
    s.send(1, 2, 2);
  });
  s.run();
  CHECK(s.head(3) == plain_head + 7 * ns);
  CHECK(s.tail(3) == plain_head + 7 * ns + on_wire);
  CHECK(s.head(2) == plain_head);
  REQUIRE(toy.visits.size() == 1);
  const bool is_middle = at == middle;
  CHECK(toy.visits[0].when == link_latency + 7 * ns + (is_middle ? forwarding : 0));
  CHECK(toy.visits[0].visit.input == 0);
  CHECK(toy.visits[0].visit.output == (is_middle ? 3 : stage_visit::no_port));
}

TEST_CASE("a stage at egress delays every packet of its port, and no rate is lost") {
  staged_star s;
  toy_stage& toy = s.join("egress", 7 * ns, "2, 3");
  toy.wanted = s.ends[2]->id;
  s.at(0, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) s.send(0, 3, i);
  });
  s.at(fs_per_us, [&] {
    s.send(0, 2, 1);
    s.send(1, 1, 1);
  });
  s.run();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(s.head(3, i) == plain_head + 7 * ns + i * on_wire);
    CHECK(s.tail(3, i) == plain_head + 7 * ns + (i + 1) * on_wire);
  }
  CHECK(s.head(2) == fs_per_us + plain_head + 7 * ns);
  CHECK(s.head(1) == fs_per_us + plain_head);
  REQUIRE(toy.visits.size() == 1);
  CHECK(toy.visits[0].when == fs_per_us + link_latency + forwarding);
  CHECK(toy.visits[0].visit.output == 2);
}

TEMPLATE_TEST_CASE_SIG("a line takes one packet after another at the rate of the stage", "",
                       ((stage_place at), at), ingress, middle, egress) {
  staged_star s;
  s.join(name_of(at), 5 * ns, "all", 250'000'000'000);  // 4 ps a byte: 576 ps a packet
  s.at(0, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) s.send(0, 3, i);
  });
  s.run();
  REQUIRE(s.ends[3]->arrivals.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(s.head(3, i) == plain_head + 5 * ns + 4 * i * on_wire);
  // In a line the last byte follows at the rate of the line; the wire behind an egress is fast.
  const fs_t length = at == egress ? on_wire : 4 * on_wire;
  CHECK(s.tail(3, 0) == plain_head + 5 * ns + length);
}

TEST_CASE("lines of different ports do not hold up each other") {
  staged_star s;
  s.join("ingress", 0, "all", 250'000'000'000);
  s.at(0, [&] {
    s.send(0, 3, 1);
    s.send(1, 3, 2);
  });
  s.run();
  REQUIRE(s.ends[3]->arrivals.size() == 2);
  CHECK(s.head(3, 0) == plain_head);
  CHECK(s.head(3, 1) == plain_head + 4 * on_wire);  // the first one's tail comes so late
}

TEMPLATE_TEST_CASE_SIG("a port belongs to the middle pipe of its number mod pipes", "",
                       ((std::uint64_t pipes), pipes), 1, 2) {
  staged_star s(1 << 20, pipes);
  // Both inputs send to port 3: the stage picks the pipe by the input.
  toy_stage& toy = s.join("middle", 0, "all", 14'400'000'000);  // 10 ns a packet
  toy.picks_line_by_input = pipes == 2;
  s.at(0, [&] {
    s.send(0, 3, 1, 144);
    s.send(1, 3, 2, 144);
  });
  s.run();
  REQUIRE(toy.visits.size() == 2);
  CHECK(toy.visits[0].when == link_latency + forwarding);
  CHECK(toy.visits[1].when == link_latency + forwarding + (pipes == 1 ? 10 * ns : 0));
}

TEMPLATE_TEST_CASE_SIG("what a stage consumes ends there and frees its receive buffer", "",
                       ((stage_place at), at), ingress, middle, egress) {
  staged_star s(144);  // one packet
  toy_stage& toy = s.join(name_of(at), 3 * ns);
  toy.act = [](const stage_visit&, packet&) { return stage_verdict::consume; };
  s.at(0, [&] {
    s.send(0, 3, 1);
    s.send(0, 3, 2);
    s.send(0, 2, 3);
  });
  s.run();
  CHECK(s.ends[3]->arrivals.empty());
  REQUIRE(s.ends[2]->arrivals.size() == 1);
  REQUIRE(toy.visits.size() == 2);
  CHECK(toy.visits[1].when > toy.visits[0].when);
  CHECK(s.ends[0]->departures.size() == 3);  // the second waited for the buffer of the first
  CHECK(s.ends[0]->departures[1].start == toy.visits[0].when + on_wire + link_latency);
}

TEMPLATE_TEST_CASE_SIG("what a stage holds keeps its receive buffer until it goes on", "",
                       ((stage_place at), at), ingress, middle) {
  staged_star s(144);
  toy_stage& toy = s.join(name_of(at), 0);
  packet* held = nullptr;
  stage_visit where;
  toy.act = [&](const stage_visit& visit, packet& p) {
    if (p.tag != 1) return stage_verdict::pass;
    held = &p;
    where = visit;
    return stage_verdict::hold;
  };
  s.at(0, [&] {
    s.send(0, 3, 1);
    s.send(0, 3, 2);
  });
  s.at(fs_per_us, [&] { toy.port().resume(where, *held); });
  s.run();
  REQUIRE(s.ends[3]->arrivals.size() == 2);
  const fs_t rest = at == ingress ? forwarding : 0;
  CHECK(s.head(3, 0) == fs_per_us + rest + link_latency);
  CHECK(s.tail(3, 0) == fs_per_us + rest + link_latency + on_wire);
  CHECK(s.ends[0]->departures[1].start == fs_per_us + rest + on_wire + link_latency);
}

TEST_CASE("what a stage has released goes to any port, with other bytes") {
  staged_star s(144);
  toy_stage& toy = s.join("middle", 2 * ns);
  toy.act = [&](const stage_visit& visit, packet& p) {
    toy.port().release(visit, p, now_fs() + on_wire);
    p.destination = s.ends[1]->id;
    p.wire_bytes = 72;
    p.tail = now_fs();
    toy.port().emit(1, p);
    return stage_verdict::hold;
  };
  s.at(0, [&] {
    s.send(0, 3, 1);
    s.send(0, 3, 2);
  });
  s.run();
  CHECK(s.ends[3]->arrivals.empty());
  REQUIRE(s.ends[1]->arrivals.size() == 2);
  CHECK(s.head(1) == plain_head + 2 * ns);
  CHECK(s.tail(1) == plain_head + 2 * ns + on_wire / 2);
  CHECK(toy.transmissions.size() == 2);
}

TEMPLATE_TEST_CASE_SIG("a stage sends copies, which it does not see again", "",
                       ((stage_place at), at), ingress, middle, egress) {
  staged_star s;
  toy_stage& toy = s.join(name_of(at), 0);
  toy_stage& other = s.join("egress", 0);
  toy.act = [&](const stage_visit&, packet& p) {
    packet& copy = *take_packet();
    copy.kind = p.kind;
    copy.source = p.source;
    copy.destination = p.destination;
    copy.wire_bytes = p.wire_bytes;
    copy.tag = p.tag + 100;
    copy.tail = p.tail;
    toy.port().emit(3, copy);
    return stage_verdict::pass;
  };
  s.at(0, [&] { s.send(0, 3, 1); });
  s.run();
  CHECK(toy.visits.size() == 1);
  CHECK(other.visits.size() == 2);
  CHECK(s.ends[3]->arrivals.size() == 2);
}

TEMPLATE_TEST_CASE_SIG("stages at one place follow each other", "", ((stage_place at), at), ingress,
                       middle, egress) {
  staged_star s;
  toy_stage& first = s.join(name_of(at), 3 * ns);
  toy_stage& second = s.join(name_of(at), 4 * ns);
  toy_stage& late = s.join("middle", 5 * ns);
  s.at(0, [&] { s.send(1, 3, 1); });
  s.run();
  CHECK(s.head(3) == plain_head + 12 * ns);
  CHECK(first.visits.size() == 1);
  REQUIRE(second.visits.size() == 1);
  CHECK(late.visits.size() == 1);
  CHECK(second.visits[0].when >= first.visits[0].when);
}

TEST_CASE("a stage on a port or pipe that the switch does not have is refused") {
  staged_star s;
  CHECK_THROWS_WITH(s.join("ingress", 0, "1..4"),
                    "hub has 4 ports, numbered from 0: there is no port 4 for a stage");
  CHECK_THROWS_WITH(s.join("middle", 0, "2"),
                    "hub has 2 pipes, numbered from 0: there is no pipe 2 for a stage");
  CHECK_THROWS_WITH(s.join("egress", 0, "3..1"),
                    "at: expected \"all\" or numbers and ranges such as \"0..3, 6\", got \"3..1\"");
  CHECK_THROWS(s.join("egress", 0, ""));
  CHECK_THROWS(s.join("egress", 0, "1,"));
}

TEST_CASE("a stage says in one line what it is") {
  toy_parameters p;
  p.place.load(parse_yaml_text("middle", "test.yaml"));
  p.at.set("0..3");
  p.latency.set({2 * ns});
  p.rate.set(bandwidth(50'000'000'000));
  CHECK(p.summary() == "middle of pipes 0..3, latency 2 ns, rate 50 GB/s");
}
