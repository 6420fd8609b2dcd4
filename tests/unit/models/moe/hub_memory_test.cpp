// Addresses at which a token hub finds no memory: the layer ends with BUS and names the address, no
// GPU gets data that were never read, and nothing is left to do afterwards.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/unit/models/moe/hub_bench.hpp"

using namespace heddle;

namespace {

using error = token_hub_regs::status_error;

constexpr std::uint64_t nowhere = hub_bench::nowhere;
// The first own token goes to the own expert, or to that of the peer.
const std::vector<std::uint16_t> stays = {1, 0, 0, 0, 0, 0}, leaves = {1, 1, 0, 0, 0, 0};

simulation_settings without_data() {
  simulation_settings settings;
  settings.carries_data = false;
  return settings;
}

void check_bus(hub_bench& bench, const std::string& what) {
  bench.check_error(error::BUS, 0, 0);
  CHECK_THAT(bench.told(),
             Catch::StartsWith("BUS: memory refuses to " + what + " B at 0x4000000: "));
  CHECK(bench.read(token_hub_regs::completed_offset) == 0);
  CHECK(now_fs() < fs_per_ms);
}

}  // namespace

TEST_CASE("a descriptor that lies nowhere") {
  hub_bench bench;
  bench.at(0, [&] {
    bench.write(token_hub_regs::layer_offset, nowhere);
    bench.write(token_hub_regs::start_offset, std::uint32_t{1});
  });
  bench.run();
  check_bus(bench, "read 200");
}

TEMPLATE_TEST_CASE_SIG("lists or counts that lie nowhere: no layer is driven by those before", "",
                       ((int which), which), 0, 1) {
  const std::function<void(token_layer&)> spoiled[] = {[](token_layer& l) { l.lists = nowhere; },
                                                       [](token_layer& l) { l.counts = nowhere; }};
  hub_bench bench;
  bench.at(0, [&] { bench.start(leaves, 1, spoiled[which]); });
  bench.run();
  check_bus(bench, which == 0 ? "read 12" : "read 4");
  CHECK(bench.peer.of_kind(token_store).empty());
}

TEMPLATE_TEST_CASE_SIG("an own vector that lies nowhere is not sent, to any expert", "",
                       ((bool is_away), is_away), false, true) {
  hub_bench bench;
  bench.at(0, [&] {
    bench.start(is_away ? leaves : stays, 1, [](token_layer& l) { l.inputs = nowhere; });
  });
  bench.run();
  check_bus(bench, "read 128");
  CHECK(bench.peer.of_kind(token_store).empty());
}

TEST_CASE("a vector for an expert without memory: its source hears of it") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1, [](token_layer& l) { l.experts_in = nowhere; }); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.run();
  check_bus(bench, "write 128");
  REQUIRE(bench.peer.of_kind(token_ack).size() == 1);
  CHECK(bench.peer.of_kind(token_ack).front().is_error);
}

TEMPLATE_TEST_CASE_SIG("factors or results of an expert that lie nowhere: its token stays", "",
                       ((int which), which), 0, 1) {
  const std::function<void(token_layer&)> spoiled[] = {
      [](token_layer& l) { l.gates = nowhere - 3 * sizeof(float); },
      [](token_layer& l) { l.experts_out = nowhere; }};
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1, spoiled[which]); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.run();
  check_bus(bench, which == 0 ? "read 4" : "write 128");
  CHECK(bench.peer.of_kind(token_store).empty());
}

TEST_CASE("without data, results that cannot be read are not sent, and the run ends") {
  hub_bench bench(100 * fs_per_ns, without_data());
  bench.at(0, [&] { bench.start(nobody, 1, [](token_layer& l) { l.experts_out = nowhere; }); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.run();
  check_bus(bench, "read 128");
  CHECK(bench.peer.of_kind(token_store).empty());
}

TEST_CASE(
    "without data, results of an own token that cannot be read are no sum, and the run ends") {
  hub_bench bench(100 * fs_per_ns, without_data());
  bench.at(0, [&] { bench.start(stays, 1, [](token_layer& l) { l.experts_out = nowhere; }); });
  bench.run();
  check_bus(bench, "read 128");
}

TEST_CASE("a sum that cannot be written is no result") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 0, [](token_layer& l) { l.results = nowhere; }); });
  bench.run();
  check_bus(bench, "write 128");
}

TEST_CASE("a part of a sum for which there is no room: its source hears of it") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(leaves, 1, [](token_layer& l) { l.gathered = nowhere; }); });
  bench.at(2 * fs_per_us, [&] { bench.send_part(0); });
  bench.run();
  check_bus(bench, "write 128");
  REQUIRE(bench.peer.of_kind(token_ack).size() == 1);
  CHECK(bench.peer.of_kind(token_ack).front().is_error);
}
