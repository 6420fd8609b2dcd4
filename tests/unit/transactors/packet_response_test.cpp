// What a request keeps, drops and swaps when it turns into its response.
#include <catch2/catch.hpp>
#include <memory>

#include "transactors/packet/packet_response.hpp"

using namespace heddle;

namespace {

const packet_format format{128, 16, 16};

struct pooled_packet {
  void operator()(packet* p) const { give_back(p); }
};
using owned_packet = std::unique_ptr<packet, pooled_packet>;

owned_packet make_request(packet_kind kind, bool is_inc) {
  owned_packet p(take_packet());
  p->kind = kind;
  p->source = 3;
  p->destination = 8;
  p->train = 2;
  p->payload_bytes = 200;
  p->payload = payload_slice::allocate(200);
  p->wire_bytes = 999;
  p->vc = 1;
  p->is_inc = is_inc;
  p->tag = 42;
  p->address = 0x1000;
  p->step = 7;
  return p;
}

}  // namespace

TEST_CASE("a response goes back to the source, with the tag and the address of the request") {
  const owned_packet p = make_request(packet_kind::read_request, false);
  turn_into_response(*p, format);
  CHECK(p->kind == packet_kind::read_response);
  CHECK(p->source == 8);
  CHECK(p->destination == 3);
  CHECK(p->tag == 42);
  CHECK(p->address == 0x1000);
  CHECK(p->train == 2);
  CHECK(p->step == 7);
  CHECK(p->vc == 1);
}

TEST_CASE("a response has the payload of its kind, and the wire bytes of that") {
  const owned_packet read = make_request(packet_kind::read_request, false);
  turn_into_response(*read, format);
  CHECK(read->payload);
  CHECK(read->payload_bytes == 200);
  CHECK(read->wire_bytes == 2 * 16 + 128 + 80);

  const owned_packet write = make_request(packet_kind::write_request, false);
  turn_into_response(*write, format);
  CHECK(write->kind == packet_kind::write_response);
  CHECK_FALSE(write->payload);
  CHECK(write->payload_bytes == 0);
  CHECK(write->wire_bytes == 2 * 16);
}

TEST_CASE("a response of in-network computing has the channel of its kind") {
  const auto vc_of_response_to = [](packet_kind kind) {
    const owned_packet p = make_request(kind, true);
    turn_into_response(*p, format);
    return p->vc;
  };
  CHECK(vc_of_response_to(packet_kind::read_request) == max_vcs + 2);
  CHECK(vc_of_response_to(packet_kind::atomic_request) == max_vcs + 2);
  CHECK(vc_of_response_to(packet_kind::write_request) == max_vcs + 3);
}

TEST_CASE("a refusal is as long as the response would be, and carries no data") {
  const owned_packet read = make_request(packet_kind::read_request, false);
  turn_into_refusal(*read, packet_kind::read_response, format);
  CHECK(read->kind == packet_kind::read_response);
  CHECK(read->is_error);
  CHECK_FALSE(read->carries_data);
  CHECK_FALSE(read->payload);
  CHECK(read->wire_bytes == 2 * 16 + 128 + 80);

  const owned_packet write = make_request(packet_kind::write_request, false);
  turn_into_refusal(*write, packet_kind::write_response, format);
  CHECK(write->is_error);
  CHECK(write->wire_bytes == 2 * 16);
}

TEST_CASE("a response of a given kind leaves the wire bytes to the caller") {
  const owned_packet p = make_request(packet_kind::traffic_request, false);
  turn_into_response(*p, packet_kind::traffic_response);
  CHECK(p->kind == packet_kind::traffic_response);
  CHECK_FALSE(p->payload);
  CHECK(p->payload_bytes == 0);
  CHECK(p->wire_bytes == 999);
}
