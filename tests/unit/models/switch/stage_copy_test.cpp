// Copies that a stage orders, made when their turn has come: links of 1 B/ps and 1 ns, a switch of
// 100 ns, packets of 144 B that take 144 ps on a wire.
#include <catch2/catch.hpp>

#include <vector>

#include "models/switch/switch.hpp"
#include "platform/unit/registry.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/stages/timed_stage.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;
constexpr fs_t on_wire = 144'000;
constexpr fs_t at_stage = ns;  // at ingress, what leaves its source at 0

// Takes every packet, and sends copies of it through port 3.
class copier final : public unit, private timed_stage {
 public:
  using parameters = stage_parameters;
  struct counters : statistic_set {};
  static std::vector<port_description> port_descriptions() {
    return {{"switch", "in-network device", "the switch that it is a stage of"}};
  }
  copier(const unit_context& context, const parameters& p) : unit(context), timed_stage(*this, p) {}

  std::uint32_t copies = 3;
  std::vector<fs_t> made;
  std::vector<fs_t> transmissions;

 private:
  bool wants(const packet& p) const override { return p.tag < 100; }
  stage_verdict handle(const stage_visit& visit, packet& p) override {
    switch_port().release(visit, p, now_fs() + on_wire);
    p.tail = now_fs();
    for (std::uint32_t i = 0; i < copies; ++i)
      switch_port().emit_copy(3, p, {i, static_cast<std::uint16_t>(7 * i)});
    return stage_verdict::hold;
  }
  packet& copy(const packet& original, const copy_order& order) override {
    packet& fresh = *take_packet();
    fresh.kind = original.kind;
    fresh.source = original.source;
    fresh.destination = original.destination;
    fresh.wire_bytes = original.wire_bytes;
    fresh.tail = original.tail;
    fresh.tag = original.tag + 100 * (order.number + 1) + order.part;
    made.push_back(now_fs());
    return fresh;
  }
  void transmitted(int port, packet_kind, std::uint32_t) override {
    CHECK(port == 3);
    transmissions.push_back(now_fs());
  }
};

struct copying_star : test_bench {
  packet_switch& hub;
  copier& stage;
  std::vector<packet_endpoint*> ends;

  explicit copying_star(std::uint64_t buffer = 1 << 20)
      : hub(add<packet_switch>("hub", [](switch_parameters& p) { p.ports.set(4); })),
        stage(add<copier>("copier")) {
    for (int i = 0; i < 4; ++i) {
      const std::string index = std::to_string(i);
      ends.push_back(&add_stimulus<packet_endpoint>("end" + index));
      link(*ends.back(), "port", hub, "port[" + index + "]", [&](link_parameters& p) {
        p.rate.set(bandwidth(1'000'000'000'000));
        p.latency.set({ns});
        p.buffer.set({buffer});
      });
    }
    bind(stage, "switch", hub, "inc");
  }
  void send(int from, std::uint32_t tag) { ends[from]->send(ends[3]->id, 144, 0, tag); }
};

}  // namespace

TEST_CASE("a copy is made when the wire takes it, by the number and part of its order") {
  copying_star s;
  s.at(0, [&] { s.send(0, 1); });
  s.run();
  CHECK(s.stage.made == std::vector<fs_t>{at_stage, at_stage + on_wire, at_stage + 2 * on_wire});
  CHECK(s.stage.transmissions == s.stage.made);
  const auto& arrivals = s.ends[3]->arrivals;
  REQUIRE(arrivals.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(arrivals[i].tag == 1 + 100 * (i + 1) + 7 * i);
    CHECK(arrivals[i].head == at_stage + i * on_wire + ns);
    CHECK(arrivals[i].tail == at_stage + (i + 1) * on_wire + ns);
  }
  CHECK(s.hub.count().device_packets.raw() == 3);
  CHECK(s.hub.count().peak_device_queue.raw() == 2);  // the first copy leaves at once
}

TEST_CASE("what a stage sends on an idle wire has not waited") {
  copying_star s;
  s.stage.copies = 1;
  s.at(0, [&] { s.send(0, 1); });
  s.run();
  CHECK(s.hub.count().device_packets.raw() == 1);
  CHECK(s.hub.count().peak_device_queue.raw() == 0);
}

TEST_CASE("copies wait for credits, and keep the order in which they were ordered") {
  copying_star s(144);  // one packet
  s.at(0, [&] { s.send(0, 1); });
  s.at(10, [&] { s.send(1, 2); });
  s.run();
  const auto& arrivals = s.ends[3]->arrivals;
  REQUIRE(arrivals.size() == 6);
  for (std::uint32_t i = 0; i < 6; ++i)
    CHECK(arrivals[i].tag == 1 + i / 3 + 100 * (i % 3 + 1) + 7 * (i % 3));
  CHECK(s.stage.made[1] > at_stage + 2 * ns);  // the way to the far end and back
}
