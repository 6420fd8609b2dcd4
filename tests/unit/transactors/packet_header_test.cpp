// Headers of protocols and kinds of packets that protocols add.
#include <catch2/catch.hpp>
#include <vector>

#include "models/switch/switch.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/monitors/packet_rules.hpp"

using namespace heddle;

namespace {

struct target_list final : pooled_header<target_list> {
  std::vector<std::uint16_t> targets;
  std::uint32_t wire_bytes() const override {
    return 16 * static_cast<std::uint32_t>((targets.size() + 7) / 8);
  }
  void clear() { targets.clear(); }
};

struct other_header final : pooled_header<other_header> {
  std::uint32_t wire_bytes() const override { return 4; }
  void clear() {}
};

std::string odd_target(const packet& p) {
  const auto* list = p.header.as<target_list>();
  if (!list) return "an ask names its targets";
  for (const std::uint16_t each : list->targets)
    if (each % 2 != 0) return "targets are even";
  return {};
}

const packet_kind told = add_packet_kind({"told", message::response, false});
const packet_kind asked =
    add_packet_kind({"asked", message::request, true, true, told, odd_target});

packet& make_asked(std::vector<std::uint16_t> targets) {
  packet& p = *take_packet();
  p.kind = asked;
  p.payload_bytes = 128;
  p.carries_data = false;
  p.header.attach<target_list>().targets = std::move(targets);
  p.wire_bytes = 16 + p.header.wire_bytes() + 128;
  return p;
}

const monitored_link wire{bandwidth(1'000'000'000'000), fs_per_ns, 2, 1 << 20};

std::string rule_broken_by(packet& p) {
  p.head = fs_per_ns;
  p.tail = p.head + 1000ULL * p.wire_bytes;
  return broken_rule(p, wire, 0, fs_per_ns);
}

}  // namespace

TEST_CASE("a packet holds one header, which goes back with it") {
  const std::size_t before = target_list::in_use();
  packet* p = take_packet();
  CHECK_FALSE(p->header);
  CHECK(p->header.wire_bytes() == 0);
  p->header.attach<target_list>().targets = {1, 2, 3};
  CHECK(p->header.wire_bytes() == 16);
  CHECK(p->header.as<other_header>() == nullptr);
  REQUIRE(p->header.as<target_list>() != nullptr);
  CHECK(target_list::in_use() == before + 1);
  p->header.attach<other_header>();  // in its place
  CHECK(target_list::in_use() == before);
  p->header.attach<target_list>();
  CHECK(p->header.as<target_list>()->targets.empty());
  give_back(p);
  CHECK(target_list::in_use() == before);
  CHECK(other_header::in_use() == 0);
}

TEST_CASE("a copy of a packet has a header of its own") {
  packet& first = make_asked({2, 4});
  packet& second = *take_packet();
  second.header = first.header;
  second.header.as<target_list>()->targets.push_back(6);
  CHECK(first.header.as<target_list>()->targets.size() == 2);
  CHECK(second.header.as<target_list>()->targets.size() == 3);
  packet third = first;
  CHECK(target_list::in_use() == 3);
  give_back(&first);
  give_back(&second);
  CHECK(third.header.as<target_list>()->targets.size() == 2);
  third.header.reset();
  CHECK(target_list::in_use() == 0);
}

TEST_CASE("the owner of a kind says what links and monitors must know") {
  CHECK(std::string(name_of(asked)) == "asked");
  CHECK_FALSE(is_response(asked));
  CHECK(is_response(told));
  CHECK(response_to(asked) == told);
  CHECK(inc_vc_of(asked) == max_vcs + 1);
  CHECK(inc_vc_of(told) == max_vcs + 3);

  packet& p = make_asked({2, 4});
  CHECK(rule_broken_by(p).empty());
  p.wire_bytes -= 16;  // too short for its header list
  CHECK(rule_broken_by(p) == "128 B do not hold a payload of 128 B and 1 headers");
  p.wire_bytes = 16;
  CHECK(rule_broken_by(p) == "16 B do not hold a protocol header of 16 B");
  p.wire_bytes = 160;
  p.vc = 1;
  CHECK(rule_broken_by(p) == "requests use the virtual channels below 1, responses the others");
  p.vc = 0;
  p.header.as<target_list>()->targets = {3};
  CHECK(rule_broken_by(p) == "targets are even");
  p.header.reset();
  CHECK(rule_broken_by(p) == "an ask names its targets");
  give_back(&p);
}

TEST_CASE("a header travels without data, through a switch, under monitors") {
  simulation_settings settings;
  settings.has_monitors = true;
  settings.carries_data = false;
  test_bench bench(settings);
  packet_switch& hub = bench.add<packet_switch>("hub");
  auto& from = bench.add_stimulus<packet_endpoint>("from");
  auto& to = bench.add_stimulus<packet_endpoint>("to");
  bench.link(from, "port", hub, "port[0]");
  bench.link(to, "port", hub, "port[1]");
  bench.at(0, [&] {
    packet& p = make_asked({2, 4, 6});
    p.source = from.id;
    p.destination = to.id;
    from.send(p);
  });
  std::size_t seen = 0;
  to.on_arrival = [&](packet& p) {
    seen = p.header.as<target_list>()->targets.size();
    packet& answer = *take_packet();
    answer.kind = told;
    answer.source = to.id;
    answer.destination = from.id;
    answer.vc = 1;
    answer.wire_bytes = 16;
    answer.tag = p.tag;
    to.send(answer);
  };
  bench.run();
  CHECK(bench.failures().empty());
  CHECK(seen == 3);
  REQUIRE(to.arrivals.size() == 1);
  CHECK(to.arrivals[0].wire_bytes == 160);
  CHECK(from.arrivals.size() == 1);
  CHECK(target_list::in_use() == 0);
  CHECK(packets_in_use() == 0);
}
