// Accesses across a mesh: what arrives, and in which cycle the answer is back. By hand, for n beats
// over d links between routers: the first flit leaves in cycle 1 and each of the d + 1 routers
// takes 2 cycles behind the link to the first; the interface passes it on after 1 more, the memory
// takes less than a cycle, and the way back is the same.
//
//   words   2 + 2 (d + 1), then 3, then 2 + 2 (d + 1)       = 11 + 4 d
//   bursts  the same, an AW and n - 1 more beats            = 11 + 4 d + n
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <numeric>

#include "platform/services/link_directory.hpp"
#include "tests/unit/models/mesh/tile_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;

struct timed {
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  fs_t taken = 0;
};

// Within a thread.
timed transport(memory_initiator& core, tlm::tlm_command command, std::uint64_t address, void* data,
                std::uint32_t bytes, beat_extension* beats = nullptr) {
  tlm::tlm_generic_payload payload;
  set_access(payload, command, address, data, bytes);
  if (beats) payload.set_extension(beats);
  const fs_t start = now_fs();
  const auto done = core.transport(payload, 0);
  if (beats) payload.clear_extension(beats);
  return {done.status, done.done - start};
}

std::vector<unsigned char> pattern(std::size_t bytes, unsigned char first) {
  std::vector<unsigned char> made(bytes);
  std::iota(made.begin(), made.end(), first);
  return made;
}

std::vector<unsigned char> content(tile_bench& b, int tile, std::uint64_t offset,
                                   std::uint32_t bytes) {
  std::vector<unsigned char> got(bytes);
  b.core(tile).debug(tlm::TLM_READ_COMMAND, tile_bench::tile(tile) + offset, got.data(), bytes);
  return got;
}

void set_collective(tile_bench& b, int tile, flit_op op, std::uint64_t mask) {
  auto kind = static_cast<std::uint32_t>(op);
  const std::uint64_t registers = tile_bench::tile(tile) + tile_bench::registers;
  b.core(tile).write(registers + 0x20, &mask, sizeof mask);
  b.core(tile).write(registers + 0x28, &kind, sizeof kind);
}

constexpr std::uint64_t everybody(int tiles) {
  return static_cast<std::uint64_t>(tiles - 1) * tile_bench::tile_size;
}

}  // namespace

TEST_CASE("a word to a tile d links away takes 11 + 4 d cycles, there and back") {
  tile_bench b(4, 4);
  std::vector<fs_t> reads, writes;
  std::uint64_t got = 0;
  b.thread([&] {
    for (const int to : {1, 3, 15}) {
      std::uint64_t word = 1000U + static_cast<unsigned>(to);
      writes.push_back(
          transport(b.core(0), tlm::TLM_WRITE_COMMAND, b.tile(to) + 8, &word, 8).taken);
      reads.push_back(transport(b.core(0), tlm::TLM_READ_COMMAND, b.tile(to) + 8, &got, 8).taken);
      CHECK(got == word);
    }
  });
  b.run();
  CHECK(reads == std::vector<fs_t>{15 * ns, 23 * ns, 35 * ns});
  // The W follows its AW a cycle later.
  CHECK(writes == std::vector<fs_t>{16 * ns, 24 * ns, 36 * ns});
}

TEST_CASE("bursts take a cycle a beat more, the AW one") {
  tile_bench b(4, 4);
  b.thread([&] {
    for (const std::uint32_t beats : {1U, 2U, 64U}) {
      auto sent = pattern(beats * 64, static_cast<unsigned char>(beats));
      std::vector<unsigned char> got(sent.size());
      const auto bytes = static_cast<std::uint32_t>(sent.size());
      const timed write =
          transport(b.core(0), tlm::TLM_WRITE_COMMAND, b.tile(1), sent.data(), bytes);
      const timed read = transport(b.core(0), tlm::TLM_READ_COMMAND, b.tile(1), got.data(), bytes);
      CHECK(write.taken == (15 + beats) * ns);
      CHECK(read.taken == (15 + beats - 1) * ns);
      CHECK(got == sent);
    }
  });
  b.run();
  CHECK(b.sim.service<flit_payloads>().in_use() == 0);
}

TEST_CASE("a multicast of n beats to 4 x 4 takes 35 + n cycles and reaches every tile") {
  tile_bench b(4, 4);
  auto sent = pattern(640, 7);
  beat_extension multicast;
  multicast.op = flit_op::multicast;
  multicast.mask = everybody(16);
  timed done;
  b.thread([&] {
    done =
        transport(b.core(0), tlm::TLM_WRITE_COMMAND, b.tile(5) + 256, sent.data(), 640, &multicast);
  });
  b.run();
  CHECK(done.status == tlm::TLM_OK_RESPONSE);
  CHECK(done.taken == (11 + 4 * 6 + 10) * ns);  // the farthest tile is 6 links away
  for (int tile = 0; tile < 16; ++tile) CHECK(content(b, tile, 256, 640) == sent);
  CHECK(b.sim.service<flit_payloads>().in_use() == 0);
}

TEST_CASE("a multicast to one column leaves the others alone") {
  tile_bench b(4, 4);
  auto sent = pattern(64, 9);
  beat_extension multicast;
  multicast.op = flit_op::multicast;
  multicast.mask = 12 * tile_bench::tile_size;  // any row
  b.thread([&] {
    transport(b.engine(0), tlm::TLM_WRITE_COMMAND, b.tile(2), sent.data(), 64, &multicast);
  });
  b.run();
  for (int tile = 0; tile < 16; ++tile) CHECK((content(b, tile, 0, 64) == sent) == (tile % 4 == 2));
}

TEST_CASE("a reduction of bursts adds what every tile writes") {
  tile_bench b(4, 4);
  std::vector<std::vector<double>> operands(16, std::vector<double>(16));
  for (int tile = 0; tile < 16; ++tile)
    for (int i = 0; i < 16; ++i) operands[tile][i] = tile * 100 + i;
  std::vector<fs_t> ends(16);
  beat_extension add;
  add.op = flit_op::add_f64;
  add.mask = everybody(16);
  for (int tile = 0; tile < 16; ++tile)
    b.thread([&, tile] {
      ends[tile] = transport(b.engine(tile), tlm::TLM_WRITE_COMMAND, b.tile(6) + 128,
                             operands[tile].data(), 128, &add)
                       .taken;
    });
  b.run();
  std::vector<double> sum(16);
  b.core(6).debug(tlm::TLM_READ_COMMAND, b.tile(6) + 128, sum.data(), 128);
  for (int i = 0; i < 16; ++i) CHECK(sum[i] == 12000 + 16 * i);
  CHECK(b.failures().empty());
  CHECK(b.sim.service<flit_payloads>().in_use() == 0);
}

TEST_CASE("LsbAnd writes are answered when the last member has written") {
  tile_bench b(4, 4);
  std::vector<fs_t> ends(16);
  for (int tile = 0; tile < 16; ++tile)
    b.thread([&, tile] {
      set_collective(b, tile, flit_op::lsb_and, everybody(16));
      sc_core::wait(to_sc_time((tile == 9 ? 500 : 100) * ns));
      std::uint64_t one = 1;
      transport(b.core(tile), tlm::TLM_WRITE_COMMAND, b.tile(0) + tile_bench::alias, &one, 8);
      ends[tile] = now_fs();
    });
  b.run();
  // Tile 9, at (1, 2), comes last: 3 links to tile 0, 6 from there to tile 15.
  CHECK(ends[9] == (500 + 12 + 4 * 3) * ns);
  CHECK(ends[0] == ends[9] - 2 * 3 * ns);
  CHECK(ends[15] == ends[9] + 2 * 3 * ns);
  CHECK(content(b, 0, 0, 8)[0] == 1);
}

TEST_CASE("atomics take three cycles each at the memory") {
  tile_bench b(4, 1);
  std::vector<std::uint64_t> before(4);
  std::vector<fs_t> ends;
  for (int tile = 1; tile < 4; ++tile)
    b.thread([&, tile] {
      b.core(tile).atomic_add(b.tile(0) + 64, 10, before[tile]);
      ends.push_back(now_fs());
    });
  b.run();
  CHECK(before == std::vector<std::uint64_t>{0, 0, 10, 20});
  // 10 + 4 d and 3 at the memory; they come 2 cycles apart and so wait for 1 and for 2.
  CHECK(ends == std::vector<fs_t>{17 * ns, 22 * ns, 27 * ns});
}

TEST_CASE("every atomic of either width takes three cycles at the memory") {
  tile_bench b(2, 1);
  int done = 0;
  b.thread([&] {
    for (int i = 0; i < atomic_operations; ++i)
      for (const unsigned bytes : {4U, 8U}) {
        std::uint64_t before = 0;
        atomic_extension atomic;
        atomic.operation = static_cast<atomic_operation>(i);
        atomic.operand = 3;
        atomic.expected = 0x55;
        tlm::tlm_generic_payload payload;
        set_access(payload, tlm::TLM_WRITE_COMMAND, b.tile(0) + 64, &atomic.expected, 8);
        b.core(1).transport(payload, 0);
        set_access(payload, tlm::TLM_IGNORE_COMMAND, b.tile(0) + 64, &before, bytes);
        payload.set_extension(&atomic);
        sc_core::wait(sc_core::sc_time(1, sc_core::SC_US));  // what was written is there
        const fs_t start = now_fs();
        const auto got = b.core(1).transport(payload, 0);
        payload.clear_extension(&atomic);
        INFO(name_of(atomic.operation) << " of " << bytes);
        CHECK(got.done - start == 17 * ns);
        CHECK(before == 0x55);
        std::uint64_t after = 0;
        std::memcpy(&after, content(b, 0, 64, 8).data(), sizeof after);
        CHECK(after == atomic.result(0x55, bytes));
        ++done;
      }
  });
  b.run();
  CHECK(done == 2 * atomic_operations);
}

TEST_CASE("the links carry what an atomic does and on how many bytes") {
  tile_bench b(2, 1);
  std::uint32_t first = 0, second = 0;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  b.thread([&] {
    tlm::tlm_generic_payload payload;
    atomic_extension exchange;
    exchange.operation = atomic_operation::compare_and_swap;
    exchange.operand = 7;
    payload.set_extension(&exchange);
    set_access(payload, tlm::TLM_IGNORE_COMMAND, b.tile(0) + 64, &first, 4);
    b.core(1).transport(payload, 0);
    exchange.operand = 9;  // still expects 0
    set_access(payload, tlm::TLM_IGNORE_COMMAND, b.tile(0) + 64, &second, 4);
    status = b.core(1).transport(payload, 0).status;
    payload.clear_extension(&exchange);
  });
  b.run();
  CHECK(status == tlm::TLM_OK_RESPONSE);
  CHECK(first == 0);
  CHECK(second == 7);
  CHECK(content(b, 0, 64, 8)[0] == 7);
}

TEST_CASE("a posted word is under way when its initiator goes on") {
  struct recorder final : posted_issuer {
    int begun = 0;
    std::vector<std::pair<fs_t, bool>> ended;
    void posted_begins() override { ++begun; }
    void posted_ends(std::uint64_t, bool is_ok) override { ended.emplace_back(now_fs(), is_ok); }
  };
  tile_bench b(2, 1);
  recorder issuer;
  posted_extension posted;
  posted.issuer = &issuer;
  b.thread([&] {
    std::uint64_t word = 77;
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_WRITE_COMMAND, b.tile(1), &word, 8);
    payload.set_extension(&posted);
    CHECK(b.core(0).transport(payload, 0).done == 0);
    set_access(payload, tlm::TLM_WRITE_COMMAND, b.tile(1) + 0x30000, &word, 8);  // nobody there
    CHECK(b.core(0).transport(payload, 0).done == 0);
    payload.clear_extension(&posted);
  });
  b.run();
  CHECK(issuer.begun == 2);
  REQUIRE(issuer.ended.size() == 2);
  CHECK(issuer.ended[0] == std::make_pair(16 * ns, true));
  CHECK(!issuer.ended[1].second);
}

// So firmware needs no fence between the registers and the store, nor before it changes them again.
TEST_CASE("a posted word is of the collective that the registers named when it was stored") {
  struct ignored final : posted_issuer {
    void posted_begins() override {}
    void posted_ends(std::uint64_t, bool) override {}
  };
  tile_bench b(4, 1);
  ignored issuer;
  posted_extension posted;
  posted.issuer = &issuer;
  fs_t changed = 0;
  b.thread([&] {
    std::uint64_t word = 77;
    tlm::tlm_generic_payload payload;
    set_collective(b, 0, flit_op::multicast, everybody(4));
    set_access(payload, tlm::TLM_WRITE_COMMAND, b.tile(0) + tile_bench::alias + 64, &word, 8);
    payload.set_extension(&posted);
    b.core(0).transport(payload, 0);
    payload.clear_extension(&posted);
    set_collective(b, 0, flit_op::lsb_and, 0);
    changed = now_fs();
  });
  b.run();
  CHECK(changed < 1 * ns);  // before a flit has left
  for (int tile = 0; tile < 4; ++tile) CHECK(content(b, tile, 64, 1)[0] == 77);
  CHECK(b.failures().empty());
}

TEST_CASE("links count the data of W and R apart from what they move") {
  tile_bench b(2, 1);
  b.thread([&] {
    std::array<unsigned char, 88> data{};
    b.engine(0).write(b.tile(1), data.data(), 88);  // AW, a beat, 24 bytes of the next
    b.engine(0).write(b.tile(1), data.data(), 4);
  });
  b.run();
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> moved;  // bytes, data
  for (const link_record& each : b.sim.service<link_directory>().links)
    moved[each.from->path()] = {each.figures().bytes, each.figures().payload};
  CHECK(moved["ni[0].wide"] == std::pair<std::uint64_t, std::uint64_t>{3 * 64, 88});
  CHECK(moved["wide[0].east"] == std::pair<std::uint64_t, std::uint64_t>{3 * 64, 88});
  CHECK(moved["ni[0].req"] == std::pair<std::uint64_t, std::uint64_t>{2 * 8, 4});
  CHECK(moved["ni[1].rsp"] == std::pair<std::uint64_t, std::uint64_t>{2 * 8, 0});  // B
}
