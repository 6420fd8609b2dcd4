// What a multicast engine refuses: an error for the initiator, a record with its name, and nothing
// is written anywhere.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/unit/models/nvls/nvls_bench.hpp"

using namespace heddle;

namespace {

struct refused : nvls_bench {
  using nvls_bench::nvls_bench;

  void check(const std::function<memory_initiator::result()>& access, const std::string& reason) {
    const std::vector<std::byte> before(64, std::byte{0x5a});
    for (int rank = 0; rank < 4; ++rank) fill(rank, 0, before.data(), 64);
    memory_initiator::result result;
    at(0, [&] { result = access(); });
    run();
    CHECK(result.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const auto& audit = sim.service<register_audit_log>();
    REQUIRE(audit.count() == 1);
    CHECK(audit.last().reason == reason);
    CHECK(audit.last().path == "engine");
    CHECK(audit.last().initiator == "ni1.port[0]");
    for (int rank = 0; rank < 4; ++rank) CHECK(bytes_of(rank, 0, 64) == before);
    CHECK(statistic_of(engine, "errors") == 1);
    CHECK(failures().empty());
    CHECK(engine.waiting_for().empty());
  }
};

nvls_options mapped(std::uint64_t bytes) {
  nvls_options options;
  options.mapped = bytes;
  return options;
}

nvls_options without(std::uint64_t absent) {
  nvls_options options;
  options.absent = absent;
  return options;
}

const std::vector<float> ones(32, 1.0F);

}  // namespace

TEST_CASE("a store that reaches beyond the mapped part is refused") {
  refused bench(mapped(0x1020));
  bench.check([&] { return bench.st(1, 0x1000, ones.data(), 128); },
              "128 B at 0x10000001000 are outside the region, 0x10000000000..0x1000000101f");
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<float>(rank, 0x1000) == 0.0F);
}

TEST_CASE("an atomic that the engine does not know stays at the core") {
  struct counter final : posted_issuer {
    void posted_begins() override { ++begun; }
    void posted_ends(std::uint64_t, bool) override {}
    int begun = 0;
  };
  nvls_bench bench({});
  counter issuer;
  posted_extension posted;
  posted.issuer = &issuer;
  std::vector<tlm::tlm_response_status> seen;
  const auto send = [&](atomic_operation operation, std::uint32_t bytes, bool is_posted) {
    std::uint64_t before = 0;
    atomic_extension atomic;
    atomic.operation = operation;
    atomic.operand = 1;
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_IGNORE_COMMAND, nvls_bench::region, &before, bytes);
    payload.set_extension(&atomic);
    if (is_posted) payload.set_extension(&posted);
    seen.push_back(bench.core(1).transport(payload, 0).status);
    if (is_posted) payload.clear_extension(&posted);
    payload.clear_extension(&atomic);
  };
  bench.at(0, [&] {
    send(atomic_operation::swap, 8, false);
    send(atomic_operation::add, 4, false);
    send(atomic_operation::compare_and_swap, 4, true);
    send(atomic_operation::add, 8, true);
  });
  bench.run();
  const auto refused = tlm::TLM_COMMAND_ERROR_RESPONSE;
  CHECK(seen ==
        std::vector<tlm::tlm_response_status>{refused, refused, refused, tlm::TLM_OK_RESPONSE});
  CHECK(issuer.begun == 1);
  CHECK(bench.sim.service<register_audit_log>().count() == 0);
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<std::uint64_t>(rank, 0) == 1);
}

TEST_CASE("a reduction buffer that does not hold a train is refused") {
  nvls_options options;
  options.train = 32;
  options.buffer = 31;
  CHECK_THROWS_WITH(nvls_bench(options),
                    Catch::Contains("engine: a reduction buffer of 31 packets does not hold a "
                                    "train of 32"));
}

TEST_CASE("a load of parts of elements is refused") {
  refused bench(nvls_options{});
  std::vector<float> got(32);
  bench.check([&] { return bench.ld_reduce(1, 2, got.data(), 64, dtype::fp32); },
              "64 B at 0x10000000002 are not whole elements of 4 B");
}

TEST_CASE("an ordinary load from the region is refused") {
  refused bench(nvls_options{});
  std::vector<float> got(32);
  bench.check([&] { return bench.core(1).read(nvls_bench::region, got.data(), 64); },
              "a load from a multicast region must name type and operator");
}

TEST_CASE("a region without members refuses") {
  refused bench(without(0xf));
  bench.check([&] { return bench.st(1, 0, ones.data(), 64); }, "the region has no members");
}

TEST_CASE("a red to a region without members is refused") {
  refused bench(without(0xf));
  bench.check([&] { return bench.red(1, 0, 1); }, "the region has no members");
}

TEST_CASE("a missing member is named") {
  nvls_bench bench({});
  auto& engine = bench.add<multicast_engine>("other", [](multicast_engine_parameters& p) {
    p.base.set({2 * nvls_bench::region});
    p.size.set({nvls_bench::window});
    p.members.set(5);
    p.member_base.set({nvls_bench::window});
    p.member_stride.set({nvls_bench::window});
  });
  bench.bind(engine, "switch", bench.hub, "inc");
  memory_initiator::result result;
  bench.at(0, [&] { result = bench.core(1).write(2 * nvls_bench::region, ones.data(), 64); });
  bench.run();
  CHECK(result.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench.sim.service<register_audit_log>().last().text() ==
        "other: write of 0x0 to offset 0x0 at 110 ns by ni1.port[0]: member 4 is missing: nobody "
        "serves 64 B at 0x500000");
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<std::uint32_t>(rank, 0) == 0);
  CHECK(bench.failures().empty());
}

TEST_CASE("after a refusal the next access works") {
  nvls_options options;
  options.buffer = 1;
  nvls_bench bench(options);
  std::vector<float> got(32);
  memory_initiator::result bad, good;
  for (int rank = 0; rank < 4; ++rank) bench.fill(rank, 0, ones.data(), 128);
  bench.at(0, [&] {
    for (int i = 0; i < 3; ++i) bad = bench.ld_reduce(1, 2, got.data(), 64, dtype::fp32);
    good = bench.ld_reduce(1, 0, got.data(), 128, dtype::fp32);
  });
  bench.run();
  CHECK(bad.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(good.status == tlm::TLM_OK_RESPONSE);
  CHECK(got == std::vector<float>(32, 4.0F));
  CHECK(bench.failures().empty());
}

TEST_CASE("absent members are neither read nor written") {
  nvls_bench bench(without(0b0010));
  std::vector<float> got(32);
  for (int rank = 0; rank < 4; ++rank) bench.fill(rank, 0, ones.data(), 128);
  bench.at(0, [&] {
    bench.ld_reduce(1, 0, got.data(), 128, dtype::fp32);
    bench.st(1, 0, got.data(), 128);
  });
  bench.run();
  CHECK(got == std::vector<float>(32, 3.0F));
  for (int rank = 0; rank < 4; ++rank)
    CHECK(bench.word_of<float>(rank, 0) == (rank == 1 ? 1.0F : 3.0F));
}

// 16 B of header a packet, up to 128 B of payload, flits of 16 B, as those of every other answer.
TEST_CASE("an answer that refuses has the bytes of any answer on the wire") {
  nvls_options options = without(0xf);
  options.train = 2;
  nvls_bench bench(options);
  std::vector<float> data(64);
  std::vector<std::uint64_t> on_wires;
  const auto note = [&](const memory_initiator::result& got) {
    CHECK(got.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    on_wires.push_back(bench.sim.service<link_directory>().wire_bytes());
  };
  bench.at(0, [&] {
    for (const std::uint32_t bytes : {64U, 100U, 200U})
      note(bench.core(1).read(nvls_bench::region, data.data(), bytes));
    note(bench.red(1, 0, 1));
    note(bench.st(1, 0, data.data(), 100));
  });
  bench.run();
  const std::uint64_t load = 16 + 16 + 64;
  const std::uint64_t load_of_half_a_flit = 16 + 16 + 112;
  const std::uint64_t load_of_two_packets = 2 * 16 + 2 * 16 + 128 + 80;
  const std::uint64_t atomic = 16 + 16 + 16 + 16;
  const std::uint64_t store = 16 + 112 + 16;
  std::vector<std::uint64_t> expected = {load, load_of_half_a_flit, load_of_two_packets, atomic,
                                         store};
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  CHECK(on_wires == expected);
  CHECK(bench.failures().empty());
}
