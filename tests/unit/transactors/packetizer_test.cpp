#include <catch2/catch.hpp>

#include <cstring>

#include "tests/support/packet_endpoint.hpp"
#include "tests/support/statistic_of.hpp"
#include "tests/unit/transactors/fabric_pair.hpp"

using namespace heddle;

namespace {

constexpr fs_t per_byte = 1000;
constexpr fs_t both_ways = 2 * fabric_pair::latency;
constexpr fs_t service = 100 * fs_per_ns;
constexpr std::uint64_t base = fabric_pair::base;

using sizes = std::vector<std::uint32_t>;

sizes sizes_of(const memory_target& target) {
  sizes all;
  for (const auto& each : target.accesses) all.push_back(each.bytes);
  return all;
}

// Behind the far packetizer: bytes at (address - base).
void serve_from(memory_target& target, std::vector<unsigned char>& store) {
  target.on_blocking = [&store](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    unsigned char* place = store.data() + (p.get_address() - base);
    if (p.is_read())
      std::memcpy(p.get_data_ptr(), place, p.get_data_length());
    else if (p.is_write())
      std::memcpy(place, p.get_data_ptr(), p.get_data_length());
    delay += to_sc_time(service);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
}

}  // namespace

TEST_CASE("a write takes its serialization, two latencies, the service and an acknowledgement") {
  fabric_pair pair;
  memory_initiator::result got;
  pair.at(1000, [&] { got = pair.core.write(base, pair.data.data(), 128); });
  pair.run();
  CHECK(got.status == tlm::TLM_OK_RESPONSE);
  CHECK(got.done == 1000 + 144 * per_byte + service + 16 * per_byte + both_ways);
  CHECK(pair.ram.accesses.at(0).when == 1000 + 144 * per_byte + fabric_pair::latency);
  CHECK(pair.failures().empty());
}

TEST_CASE("a read takes a header out and its payload back") {
  fabric_pair pair;
  memory_initiator::result got;
  pair.at(0, [&] { got = pair.core.read(base, pair.data.data(), 128); });
  pair.run();
  CHECK(got.done == 16 * per_byte + service + 144 * per_byte + both_ways);
  CHECK(pair.failures().empty());
}

// Monitors refuse that: the initiator has to set the status.
TEST_CASE("an access whose payload still has the status of the one before waits for its response") {
  fabric_pair pair({}, 1, 0, 1, false);
  constexpr fs_t each = 144 * per_byte + service + 16 * per_byte + both_ways;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_WRITE_COMMAND, base, pair.data.data(), 128);
  memory_initiator::result first, second;
  pair.at(0, [&] {
    first = pair.core.transport(payload, 0);
    second = pair.core.transport(payload, 0);
  });
  pair.run();
  CHECK(first.done == each);
  CHECK(second.status == tlm::TLM_OK_RESPONSE);
  CHECK(second.done == 2 * each);
  CHECK(pair.ram.accesses.size() == 2);
}

TEST_CASE("accesses are cut at the MTU and padded to flits on the wire") {
  fabric_pair pair;
  memory_initiator::result got;
  pair.at(0, [&] { got = pair.core.write(base + 40, pair.data.data(), 300); });
  pair.run();
  CHECK(sizes_of(pair.ram) == sizes{128, 128, 44});
  CHECK(pair.ram.accesses[2].address == base + 40 + 256);
  const link_counters& sent = pair.port_of(*pair.near_ni, 0).counters();
  CHECK(sent.packets.raw() == 3);
  CHECK(sent.bytes.raw() == 144 + 144 + 16 + 48);
  CHECK(sent.payload.raw() == 300);
  CHECK(pair.port_of(*pair.far_ni, 0).counters().bytes.raw() == 3 * 16);
  CHECK(got.done == (144 + 144 + 64) * per_byte + service + 16 * per_byte + both_ways);
}

TEST_CASE("blocks take turns on the planes by their address") {
  fabric_pair pair({}, 2);
  pair.at(0, [&] { pair.core.write(base + 4096 + 100, pair.data.data(), 4096); });
  pair.run();
  CHECK(pair.port_of(*pair.near_ni, 1).counters().payload.raw() == 4096 - 100);
  CHECK(pair.port_of(*pair.near_ni, 0).counters().payload.raw() == 100);
  CHECK(pair.failures().empty());
}

TEST_CASE("responses may overtake each other on planes of different latency") {
  constexpr fs_t slower = fs_per_us;
  fabric_pair pair({}, 2, slower);
  std::vector<unsigned char> store = pair.data, got(8192);
  serve_from(pair.ram, store);
  memory_initiator::result result;
  // The first block takes the slow plane, the second the fast one.
  pair.at(0, [&] { result = pair.core.read(base + 4096, got.data(), 8192); });
  pair.run();
  CHECK(std::memcmp(got.data(), store.data() + 4096, 8192) == 0);
  // The last of 32 requests leaves after 31 headers; the target is asked in order of arrival, and
  // its responses queue behind the first.
  CHECK(result.done == 16 * per_byte + service + 32 * 144 * per_byte + both_ways + 2 * slower);
  CHECK(pair.failures().empty());
}

TEST_CASE("with one packet outstanding each waits for the response before") {
  fabric_pair pair([](packetizer_parameters& p) { p.outstanding.set(1); });
  memory_initiator::result got;
  pair.at(0, [&] { got = pair.core.write(base, pair.data.data(), 512); });
  pair.run();
  CHECK(got.done == 4 * (144 * per_byte + service + 16 * per_byte + both_ways));
  CHECK(statistic_of(*pair.near_ni, "requests") == 4);
  CHECK(statistic_of(*pair.near_ni, "peak_outstanding") == 1);
  CHECK(statistic_of(*pair.near_ni, "tag_stalls") == 3);
  CHECK(statistic_of(*pair.far_ni, "served") == 4);
  CHECK(statistic_of(*pair.far_ni, "responses") == 4);
  CHECK(pair.failures().empty());
}

TEST_CASE("a short transmit queue does not leave gaps on the wire") {
  fabric_pair pair([](packetizer_parameters& p) { p.queue.set(1); });
  memory_initiator::result got;
  pair.at(0, [&] { got = pair.core.write(base, pair.data.data(), 4096); });
  pair.run();
  CHECK(got.done == 32 * 144 * per_byte + service + 16 * per_byte + both_ways);
}

TEST_CASE("an atomic add carries its operand and brings back the old word") {
  fabric_pair pair;
  std::uint64_t operand = 0, before = 0;
  pair.ram.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    auto* add = p.get_extension<atomic_extension>();
    if (add) operand = add->operand;
    if (add) add->is_performed = true;
    const std::uint64_t old = 41;
    std::memcpy(p.get_data_ptr(), &old, sizeof old);
    delay += to_sc_time(service);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  memory_initiator::result got;
  pair.at(0, [&] { got = pair.core.atomic_add(base + 8, 5, before); });
  pair.run();
  CHECK(operand == 5);
  CHECK(before == 41);
  CHECK(got.done == 32 * per_byte + service + 32 * per_byte + both_ways);
  CHECK(pair.failures().empty());
}

TEST_CASE("every atomic of either width is done at the far word and brings back what was there") {
  struct change {
    atomic_operation operation;
    std::uint32_t after;  // of 0xfffffff6 and 5
    bool keeps_above;     // on 8 bytes: what lies above the 4
  };
  using operation = atomic_operation;
  const change changes[] = {{operation::add, 0xfffffffb, true},
                            {operation::swap, 5, false},
                            {operation::bit_xor, 0xfffffff3, true},
                            {operation::bit_and, 4, false},
                            {operation::bit_or, 0xfffffff7, true},
                            {operation::min, 0xfffffff6, true},
                            {operation::max, 5, false},
                            {operation::minu, 5, false},
                            {operation::maxu, 0xfffffff6, true},
                            {operation::compare_and_swap, 5, false}};
  constexpr std::uint64_t above = 0x80000000ULL << 32, before = above | 0xfffffff6;
  fabric_pair pair;
  std::uint64_t word = 0;
  pair.ram.on_blocking = [&word](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    auto& atomic = *p.get_extension<atomic_extension>();
    atomic.is_performed = true;
    std::uint64_t found = 0;
    std::memcpy(&found, &word, p.get_data_length());
    std::memcpy(p.get_data_ptr(), &found, p.get_data_length());
    found = atomic.result(found, p.get_data_length());
    std::memcpy(&word, &found, p.get_data_length());
    delay += to_sc_time(service);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  const auto perform = [&](const change& each, std::uint32_t bytes, std::uint64_t expected) {
    atomic_extension atomic;
    atomic.operation = each.operation;
    atomic.operand = 5;
    atomic.expected = expected;
    std::uint64_t got = 0;
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_IGNORE_COMMAND, base + 8, &got, bytes);
    payload.set_extension(&atomic);
    word = before;
    const fs_t start = now_fs();
    const memory_initiator::result done = pair.core.transport(payload, 0);
    payload.clear_extension(&atomic);
    CHECK(done.status == tlm::TLM_OK_RESPONSE);
    CHECK(done.done - start == 32 * per_byte + service + 32 * per_byte + both_ways);
    CHECK(got == (bytes == 8 ? before : before & 0xffffffff));
  };
  int compared = 0;
  pair.at(0, [&] {
    for (const change& each : changes) {
      INFO(name_of(each.operation));
      perform(each, 4, before & 0xffffffff);
      CHECK(word == (above | each.after));
      perform(each, 8, before);
      CHECK(word == ((each.keeps_above ? above : 0) | each.after));
      ++compared;
    }
    perform(changes[9], 4, 1);  // what it expects is not there
    CHECK(word == before);
    perform(changes[9], 8, before & 0xffffffff);
    CHECK(word == before);
  });
  pair.run();
  CHECK(compared == atomic_operations);
  CHECK(pair.failures().empty());
}

TEST_CASE("non-blocking accesses run through the four phases") {
  fabric_pair pair;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_WRITE_COMMAND, base, pair.data.data(), 128);
  pair.at(1000, [&] { pair.core.begin(payload, 500); });
  pair.run();
  REQUIRE(pair.core.phases.size() == 2);
  CHECK(pair.core.phases[0].phase == tlm::END_REQ);
  CHECK(pair.core.phases[0].when == 1500);
  CHECK(pair.core.phases[1].phase == tlm::BEGIN_RESP);
  CHECK(pair.core.phases[1].when == 1500 + 144 * per_byte + service + 16 * per_byte + both_ways);
  CHECK(pair.core.phases[1].status == tlm::TLM_OK_RESPONSE);
  CHECK(pair.failures().empty());
}

TEST_CASE("a second response waits until the initiator has taken the first") {
  fabric_pair pair;
  tlm::tlm_generic_payload first, second;
  set_access(first, tlm::TLM_WRITE_COMMAND, base, pair.data.data(), 128);
  set_access(second, tlm::TLM_WRITE_COMMAND, base + 128, pair.data.data(), 128);
  pair.core.completes_responses = false;
  pair.at(0, [&] { pair.core.begin(first); });
  pair.at(10, [&] { pair.core.begin(second); });
  pair.at(fs_per_us, [&] { pair.core.end_response(first); });
  pair.at(2 * fs_per_us, [&] { pair.core.end_response(second); });
  pair.run();
  REQUIRE(pair.core.phases.size() == 4);
  CHECK(pair.core.phases[2].payload == &first);
  CHECK(pair.core.phases[3].payload == &second);
  CHECK(pair.core.phases[3].phase == tlm::BEGIN_RESP);
  CHECK(pair.core.phases[3].when == fs_per_us);
  CHECK(pair.failures().empty());
}

TEST_CASE("a train is one object with the times of its packets") {
  fabric_pair pair({}, 1, 0, 4);
  memory_initiator::result write, read;
  fs_t start = 0;
  pair.at(0, [&] {
    write = pair.core.write(base, pair.data.data(), 512);
    start = now_fs();
    read = pair.core.read(base, pair.data.data(), 512);
  });
  pair.run();
  CHECK(sizes_of(pair.ram) == sizes{512, 512});
  CHECK(pair.port_of(*pair.near_ni, 0).counters().packets.raw() == 8);
  CHECK(pair.port_of(*pair.near_ni, 0).counters().bytes.raw() == 4 * 144 + 4 * 16);
  CHECK(write.done == 4 * 144 * per_byte + service + 16 * per_byte + both_ways);
  // The first of the read's requests is answered at once; from then on the wire is busy.
  CHECK(read.done - start == 16 * per_byte + service + 4 * 144 * per_byte + both_ways);
  CHECK(pair.failures().empty());
}

// The last acknowledgment of a train does not wait for the others, which were sent before.
TEST_CASE("a train of writes is acknowledged when its last packet is") {
  fabric_pair pair({}, 1, 0, 16);
  pair.ram.latency = 0;
  memory_initiator::result got;
  pair.at(0, [&] { got = pair.core.write(base, pair.data.data(), 2048); });
  pair.run();
  CHECK(sizes_of(pair.ram) == sizes{2048});
  CHECK(got.done == 16 * 144 * per_byte + 16 * per_byte + both_ways);
  CHECK(pair.failures().empty());
}

// As packet by packet: the last of 16 packets has room when the fourth has started. What is behind
// the access may go to another port and waits no longer and no shorter.
TEST_CASE("an access in trains is taken when its last packet has room in the queue") {
  fabric_pair pair([](packetizer_parameters& p) { p.queue.set(12); }, 1, 0, 8);
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_WRITE_COMMAND, base, pair.data.data(), 2048);
  pair.at(0, [&] { pair.core.begin(payload); });
  pair.run();
  CHECK(sizes_of(pair.ram) == sizes{1024, 1024});
  REQUIRE(pair.core.phases.size() == 2);
  CHECK(pair.core.phases[0].phase == tlm::END_REQ);
  CHECK(pair.core.phases[0].when == 3 * 144 * per_byte);
  CHECK(pair.failures().empty());
}

// The last of 8 packets has room when the sixth has started.
TEST_CASE("an access in trains does not wait for responses to leave the queue") {
  constexpr std::uint64_t near_base = 8ULL << 30;
  fabric_pair pair(
      [&](packetizer_parameters& p) {
        p.queue.set(2);
        p.base.set({near_base});
        p.size.set({1 << 30});
      },
      1, 0, 16);
  memory_target& near_ram = pair.add_stimulus<memory_target>("near_ram");
  pair.bind(*pair.near_ni, "out", near_ram, "in");
  near_ram.latency = 0;
  tlm::tlm_generic_payload write;
  set_access(write, tlm::TLM_WRITE_COMMAND, base, pair.data.data(), 1024);
  std::vector<unsigned char> read(2048);
  pair.at(fabric_pair::latency, [&] { pair.core.begin(write); });
  for (std::uint64_t i = 0; i < 4; ++i)
    pair.at(0, [&, i] { pair.far_core.read(near_base + 2048 * i, read.data(), 2048); });
  pair.run();
  CHECK(pair.failures().empty());
  REQUIRE(pair.core.phases.size() == 2);
  CHECK(pair.core.phases[0].phase == tlm::END_REQ);
  CHECK(pair.core.phases[0].when == fabric_pair::latency + 5 * 144 * per_byte);
  CHECK(pair.core.phases[1].phase == tlm::BEGIN_RESP);
}

// Two writes on two virtual channels: the last byte of the first one comes after the second one.
TEST_CASE("requests are performed in the order of their last bytes") {
  test_bench bench;
  auto& stub = bench.add_stimulus<packet_endpoint>("stub", packet_order::none);
  auto& ram = bench.add_stimulus<memory_target>("ram");
  auto& ni = bench.add<packetizer>("ni", [](packetizer_parameters& p) {
    p.ports.set(1);
    p.base.set({base});
    p.size.set({1 << 30});
  });
  bench.bind(bench.add_stimulus<memory_initiator>("nobody"), "bus", ni, "in");
  bench.bind(ni, "out", ram, "in");
  bench.link(stub, "port", ni, "port[0]", [](link_parameters& p) {
    p.rate.set(bandwidth(1'000'000'000'000));
    p.latency.set({fabric_pair::latency});
    p.vcs.set(4);
  });
  const auto write = [&](int vc, fs_t start, fs_t last_byte) {
    bench.at(start, [&stub, vc, last_byte] {
      packet& p = *take_packet();
      p.kind = packet_kind::write_request;
      p.source = stub.id;
      p.destination = static_cast<std::uint16_t>(stub.id + 1);
      p.address = base + static_cast<std::uint64_t>(vc);
      p.payload_bytes = 128;
      p.wire_bytes = 144;
      p.carries_data = false;
      p.vc = static_cast<std::uint8_t>(vc);
      stub.port.send(p, now_fs(), last_byte);
    });
  };
  const fs_t late = 1000 * fs_per_ns, second = 200 * fs_per_ns;
  write(0, 0, late);
  write(1, second, second);
  bench.run();
  REQUIRE(ram.accesses.size() == 2);
  CHECK(ram.accesses[0].address == base + 1);
  CHECK(ram.accesses[0].when == second + 144 * per_byte + fabric_pair::latency);
  CHECK(ram.accesses[1].address == base);
  CHECK(ram.accesses[1].when == late + fabric_pair::latency);
}
