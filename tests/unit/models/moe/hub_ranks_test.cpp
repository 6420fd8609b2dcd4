// Ranks that were told different layers: what the other one names does not fit the tables of this
// one. The hub refuses it before it uses the numbers, and says who has named what.
#include <catch2/catch.hpp>

#include "tests/unit/models/moe/switched_bench.hpp"

using namespace heddle;

namespace {

using error = token_hub_regs::status_error;

void check_refused(hub_bench& bench, const packet_kind& answer, std::uint32_t token,
                   const std::string& told) {
  REQUIRE(bench.peer.of_kind(answer).size() == 1);
  CHECK(bench.peer.of_kind(answer).front().is_error);
  bench.check_error(error::REMOTE, token, 0);
  CHECK(bench.told() == "REMOTE: " + told);
}

void send_answer(hub_bench& bench, packet_kind kind, std::uint32_t tag) {
  packet& p = *take_packet();
  p.payload_bytes = kind == token_sum ? hub_bench::bytes : 0;
  p.tag = tag;
  p.vc = vc_partition(bench.peer.port.vcs()).first(kind);
  bench.send(bench.peer, p, kind, 16 + p.payload_bytes);
}

}  // namespace

TEST_CASE("a notice of a token that this rank does not have") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_notice({65535}); });
  bench.run();
  bench.check_error(error::REMOTE, 65535, 0);
  CHECK(bench.told() ==
        "REMOTE: rank 1 (peer) is done with token 65535 of rank 0, which has 2 and has not sent "
        "that one");
}

TEST_CASE("a notice of a token that has not left") {
  hub_bench bench;
  // The second token waits until the first one is back, which never happens.
  bench.at(0, [&] {
    bench.start({1, 1, 0, 0, 0, 0}, 1, [](token_layer& l) { l.parts = l.chunks = 2; });
  });
  bench.at(2 * fs_per_us, [&] { bench.send_notice({1}); });
  bench.run();
  bench.check_error(error::REMOTE, 1, 0);
}

TEST_CASE("a notice before there is a layer") {
  hub_bench bench;
  bench.at(0, [&] { bench.send_notice({0}); });
  bench.run();
  bench.check_error(error::REMOTE, 0, 0);
}

TEMPLATE_TEST_CASE_SIG("a token that no rank has is neither stored nor fetched", "",
                       ((bool is_fetch), is_fetch), false, true) {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(is_fetch ? token_fetch : token_store, 9); });
  bench.run();
  check_refused(bench, is_fetch ? token_sum : token_ack, 9, "rank 1 (peer) names token 9 of 4");
}

TEST_CASE("a vector that is longer than those of this rank") {
  hub_bench bench;
  const std::vector<std::byte> behind(128, std::byte{0x5a});
  bench.at(0, [&] {
    bench.put(hub_bench::experts_in + hub_bench::bytes, behind.data(), behind.size());
    bench.start(nobody, 1);
  });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3, 0, 2 * hub_bench::bytes); });
  bench.run();
  check_refused(bench, token_ack, 3,
                "rank 1 (peer) names 256 B of token 3, whose vector has 128 B");
  CHECK(bench.bytes_at(hub_bench::experts_in + hub_bench::bytes, 128) == behind);
}

TEST_CASE("a vector of a token that is one of this rank") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 1); });
  bench.run();
  check_refused(bench, token_ack, 1, "rank 1 (peer) names token 1, which is one of rank 0");
}

TEST_CASE("a part of a token that is none of this rank") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_part(3); });
  bench.run();
  check_refused(bench, token_ack, 3,
                "rank 1 (peer) returns a part of token 3, which rank 0 has not sent it");
}

TEST_CASE("a vector that comes twice is not multiplied twice") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.at(20 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.run();
  bench.check_error(error::REMOTE, 3, 0);
  CHECK(bench.told() == "REMOTE: rank 1 sends 128 B of token 3 to a row that waits for 0 B");
  CHECK(bench.peer.of_kind(token_store).size() == 1);  // what the expert returns
}

TEST_CASE("a part that comes twice is not added twice") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 0, 0, 0}, 1); });
  bench.at(5 * fs_per_us, [&] { bench.send_part(0); });
  bench.at(20 * fs_per_us, [&] { bench.send_part(0); });
  bench.run();
  bench.check_error(error::REMOTE, 0, 0);
  CHECK(bench.told() == "REMOTE: rank 1 sends 128 B of the sum of token 0, which waits for 0 B");
}

TEST_CASE("a vector for a hub that has refused its layer") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1, [](token_layer& l) { l.hidden = 0; }); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.run();
  REQUIRE(bench.peer.of_kind(token_ack).size() == 1);
  CHECK(bench.peer.of_kind(token_ack).front().is_error);
  bench.check_error(error::BAD_LAYER, 0, 0);
}

TEST_CASE("a notice more than a token has experts") {
  switched_bench bench(4096);
  bench.at(0, [&] { bench.start_layer({1, 1, 0, 0, 0, 0}); });
  bench.at(10 * fs_per_us, [&] { bench.send_notice(bench.peer, {0, 0}); });
  bench.run();
  bench.check_error(error::REMOTE, 0, 0);
  CHECK(bench.told() ==
        "REMOTE: rank 1 (peer) is done with token 0 of rank 0, which waits for no expert");
}

TEST_CASE("a notice of a token whose experts return parts") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 0, 0, 0}, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_notice({0}); });
  bench.run();
  bench.check_error(error::REMOTE, 0, 0);
  CHECK(bench.told() ==
        "REMOTE: rank 1 (peer) is done with token 0 of rank 0, which waits for no expert");
}

TEST_CASE("a notice that tells nothing") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send(bench.peer, *take_packet(), token_notice, 16); });
  bench.run();
  bench.check_error(error::REMOTE, 0, 0);
  CHECK(bench.told() == "REMOTE: rank 1 (peer) sends a notice that tells nothing");
}

TEMPLATE_TEST_CASE_SIG("a store or a fetch without a list of targets", "",
                       ((bool is_fetch), is_fetch), false, true) {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] {
    packet& p = *take_packet();
    p.address = hub_bench::gathered;
    p.payload_bytes = hub_bench::bytes;
    bench.send(bench.peer, p, is_fetch ? token_fetch : token_store, 144);
  });
  bench.run();
  check_refused(bench, is_fetch ? token_sum : token_ack, 0,
                std::string("rank 1 (peer) sends a ") + (is_fetch ? "token_fetch" : "token_store") +
                    " without a list of targets");
}

TEST_CASE("a read, as of a memory, is answered with an error") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] {
    packet& p = *take_packet();
    p.address = hub_bench::inputs;
    p.payload_bytes = hub_bench::bytes;
    bench.send(bench.peer, p, packet_kind::read_request, 16);
  });
  bench.run();
  check_refused(bench, packet_kind::read_response, 0,
                "rank 1 (peer) sends a read_request, which is no part of a layer");
}

TEST_CASE("an answer with a tag that nobody has given") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { send_answer(bench, token_ack, 123456789); });
  bench.run();
  bench.check_error(error::REMOTE, 0, 0);
  CHECK(bench.told() == "REMOTE: rank 1 (peer) sends a token_ack that answers nothing");
}

// The vector is under way at 400 ns: its acknowledgment needs two links of 250 ns. At 15 us it has
// been acknowledged.
TEMPLATE_TEST_CASE_SIG("a sum of a vector that is stored, or a second acknowledgment of it", "",
                       ((bool is_sum), is_sum), false, true) {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 0, 0, 0}, 1); });
  bench.at(is_sum ? 400 * fs_per_ns : 15 * fs_per_us,
           [&] { send_answer(bench, is_sum ? token_sum : token_ack, 0); });
  bench.run();
  REQUIRE(bench.peer.of_kind(token_store).size() == 1);
  bench.check_error(error::REMOTE, 0, 0);
  CHECK(bench.told() == std::string("REMOTE: rank 1 (peer) sends a ") +
                            (is_sum ? "token_sum" : "token_ack") + " that answers nothing");
}
