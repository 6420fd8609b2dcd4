// Random accesses of all tiles at once against a plain array of bytes. Every tile writes only where
// no other does, so what it reads is what it wrote last, or what a multicast of its own did.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "tests/unit/models/mesh/tile_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint32_t share = 4096;  // bytes that a tile owns in every other

class random_core {
 public:
  random_core(tile_bench& bench, int tile)
      : bench_(bench),
        tile_(tile),
        random_(static_cast<unsigned>(tile) + 1),
        expected_(16, std::vector<unsigned char>(share)) {}

  void run(int accesses) {
    for (int i = 0; i < accesses; ++i) {
      const int to = draw(16);
      const bool is_word = draw(2) == 0;
      const std::uint32_t bytes = is_word ? 1U << draw(4) : 1 + draw(1024);
      const std::uint32_t offset = draw(share - bytes + 1);
      switch (draw(3)) {
        case 0:
          write(to, offset, bytes);
          break;
        case 1:
          multicast(to, offset, bytes);
          break;
        default:
          read(to, offset, bytes);
      }
    }
    for (int to = 0; to < 16; ++to) read(to, 0, share);
    is_done = true;
  }

  int mistakes = 0;
  bool is_done = false;

 private:
  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  std::uint64_t address(int to, std::uint32_t offset) const {
    return tile_bench::tile(to) + static_cast<std::uint64_t>(tile_) * share + offset;
  }
  std::vector<unsigned char> fresh(std::uint32_t bytes) {
    std::vector<unsigned char> made(bytes);
    for (auto& each : made) each = static_cast<unsigned char>(random_());
    return made;
  }

  void write(int to, std::uint32_t offset, std::uint32_t bytes) {
    const auto data = fresh(bytes);
    std::memcpy(expected_[to].data() + offset, data.data(), bytes);
    const auto done = bench_.core(tile_).write(address(to, offset), data.data(), bytes);
    if (done.status != tlm::TLM_OK_RESPONSE) ++mistakes;
  }
  void multicast(int to, std::uint32_t offset, std::uint32_t bytes) {
    auto data = fresh(bytes);
    const std::uint32_t free_bits = draw(16U);
    for (std::uint32_t each = 0; each < 16; ++each)
      if (((each ^ static_cast<std::uint32_t>(to)) & ~free_bits) == 0)
        std::memcpy(expected_[each].data() + offset, data.data(), bytes);
    beat_extension beats;
    beats.op = flit_op::multicast;
    beats.mask = free_bits * tile_bench::tile_size;
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_WRITE_COMMAND, address(to, offset), data.data(), bytes);
    payload.set_extension(&beats);
    if (bench_.engine(tile_).transport(payload, 0).status != tlm::TLM_OK_RESPONSE) ++mistakes;
    payload.clear_extension(&beats);
  }
  void read(int to, std::uint32_t offset, std::uint32_t bytes) {
    std::vector<unsigned char> got(bytes);
    const auto done = bench_.core(tile_).read(address(to, offset), got.data(), bytes);
    if (done.status != tlm::TLM_OK_RESPONSE ||
        std::memcmp(got.data(), expected_[to].data() + offset, bytes) != 0)
      ++mistakes;
  }

  tile_bench& bench_;
  int tile_;
  std::mt19937 random_;
  std::vector<std::vector<unsigned char>> expected_;
};

}  // namespace

TEST_CASE("random words, bursts and multicasts of all tiles arrive as they were sent") {
  tile_bench b(4, 4);
  std::vector<std::unique_ptr<random_core>> cores;
  for (int tile = 0; tile < 16; ++tile) {
    cores.push_back(std::make_unique<random_core>(b, tile));
    b.thread([&, tile] { cores[tile]->run(300); });
  }
  b.run();
  for (const auto& each : cores) {
    CHECK(each->is_done);
    CHECK(each->mistakes == 0);
  }
  CHECK(b.failures().empty());
  CHECK(b.sim.service<flit_payloads>().in_use() == 0);
}
