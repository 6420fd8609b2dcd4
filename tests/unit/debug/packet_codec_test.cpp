// Packets on the wire.
#include <catch2/catch.hpp>
#include <random>

#include "platform/debug/packet_codec.hpp"

using namespace heddle;
using event = packet_reader::event;

namespace {

std::vector<event> take_all(packet_reader& reader, const std::string& bytes) {
  std::vector<event> seen;
  for (const char c : bytes)
    if (const event e = reader.take(c); e != event::nothing) seen.push_back(e);
  return seen;
}

std::string data_of(const std::string& bytes, packet_runs runs = packet_runs::plain) {
  packet_reader reader(runs);
  REQUIRE(take_all(reader, bytes) == std::vector<event>{event::packet});
  return reader.data();
}

}  // namespace

TEST_CASE("a packet is framed with its checksum") {
  CHECK(make_packet("OK", packet_runs::packed) == "$OK#9a");
  CHECK(make_packet("", packet_runs::packed) == "$#00");
  CHECK(make_packet("m0,4", packet_runs::plain) == "$m0,4#fd");
  CHECK(data_of("$OK#9a") == "OK");
  CHECK(data_of("$OK#9A") == "OK");
}

TEST_CASE("special characters are escaped") {
  CHECK(make_packet("a}b", packet_runs::plain).substr(0, 6) == "$a}]b#");
  CHECK(data_of(make_packet("$#}*", packet_runs::plain)) == "$#}*");
}

TEST_CASE("runs are packed, but never with a count that ends or begins a packet") {
  CHECK(make_packet("0000", packet_runs::packed).substr(0, 5) == "$0* #");
  CHECK(make_packet("000", packet_runs::packed).substr(0, 5) == "$000#");
  for (std::size_t length = 1; length < 300; ++length) {
    const std::string text = "x" + std::string(length, '0') + "y";
    const std::string packet = make_packet(text, packet_runs::packed);
    INFO(packet);
    CHECK(packet.find_first_of("$#", 1) == packet.size() - 3);
    CHECK(data_of(packet, packet_runs::packed) == text);
  }
  CHECK(data_of("$0*\"#7c", packet_runs::packed) == "000000");
}

TEST_CASE("commands hold a plain star") {
  CHECK(data_of("$a*b#ed") == "a*b");
}

TEST_CASE("a wrong checksum, a run of nothing and a packet cut short are broken") {
  packet_reader plain(packet_runs::plain), packed(packet_runs::packed);
  CHECK(take_all(plain, "$OK#9b") == std::vector<event>{event::broken_packet});
  CHECK(take_all(plain, "$OK#9x") == std::vector<event>{event::broken_packet});
  CHECK(take_all(plain, "$a}#de") == std::vector<event>{event::broken_packet});
  CHECK(take_all(packed, "$* #4a") == std::vector<event>{event::broken_packet});
  CHECK(take_all(plain, "$O$OK#9a") == std::vector<event>{event::broken_packet, event::packet});
  const std::string too_long(packet_reader::most_bytes + 1, 'x');
  CHECK(take_all(plain, make_packet(too_long, packet_runs::plain)) ==
        std::vector<event>{event::broken_packet});
  CHECK(take_all(plain, "$OK#9a") == std::vector<event>{event::packet});
}

TEST_CASE("acknowledgements and the interrupt stand between packets only") {
  packet_reader reader(packet_runs::plain);
  CHECK(take_all(reader, "+-\x03x") ==
        std::vector<event>{event::accepted, event::repeat, event::interrupt});
  CHECK(data_of(make_packet("+-\x03", packet_runs::plain)) == "+-\x03");
}

TEST_CASE("any bytes survive the way there and back") {
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    std::string bytes;
    while (bytes.size() < random() % 200)
      bytes.append(1 + random() % 12,
                   static_cast<char>(i % 2 != 0 ? random() : "#$}*0"[random() % 5]));
    CHECK(data_of(make_packet(bytes, packet_runs::packed), packet_runs::packed) == bytes);
    CHECK(data_of(make_packet(bytes, packet_runs::plain)) == bytes);
  }
}
