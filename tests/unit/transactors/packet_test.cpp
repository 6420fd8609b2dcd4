#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <vector>

#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_queue.hpp"

using namespace heddle;

TEST_CASE("a packet from the pool has its defaults again") {
  packet* used = take_packet();
  used->address = 5;
  used->train = 7;
  used->is_error = true;
  used->payload = payload_slice::allocate(64);
  give_back(used);
  packet* again = take_packet();
  CHECK(again == used);
  CHECK(again->address == 0);
  CHECK(again->train == 1);
  CHECK_FALSE(again->is_error);
  CHECK_FALSE(again->payload);
  CHECK(again->next == nullptr);
  give_back(again);
}

TEST_CASE("packets in use are different packets, beyond one slab") {
  std::set<packet*> taken;
  for (int i = 0; i < 5000; ++i) taken.insert(take_packet());
  CHECK(taken.size() == 5000);
  for (packet* each : taken) give_back(each);
}

TEST_CASE("a queue is first in first out and can be emptied and filled again") {
  packet p[3];
  packet_queue queue;
  for (int round = 0; round < 2; ++round) {
    CHECK(queue.empty());
    for (packet& each : p) queue.push(each);
    CHECK(&queue.back() == &p[2]);
    for (packet& each : p) {
      CHECK(&queue.front() == &each);
      CHECK(&queue.pop() == &each);
      CHECK(each.next == nullptr);
    }
  }
}

TEST_CASE("packets that are inserted leave by instant, those of one as they came") {
  std::vector<packet> p(500);
  std::mt19937_64 random(5);
  arrival_queue queue;
  std::size_t inside = 0;
  fs_t now = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i].head = now + random() % 50;
    p[i].tag = static_cast<std::uint32_t>(i);
    queue.insert(p[i], p[i].head);
    ++inside;
    if (random() % 3 != 0) continue;
    now = queue.next_due();
    CHECK(queue.pop().head == now);
    --inside;
  }
  fs_t head = 0;
  std::uint32_t tag = 0;
  for (std::size_t i = 0; i < inside; ++i) {
    REQUIRE(queue.next_due() >= head);
    const packet& next = queue.pop_whole();
    REQUIRE((next.head > head || (next.head == head && (i == 0 || next.tag > tag))));
    head = next.head;
    tag = next.tag;
  }
  CHECK(queue.empty());
}

TEST_CASE("every kind has a name and responses are told from requests") {
  CHECK(std::string(name_of(packet_kind::atomic_request)) == "atomic_request");
  CHECK(std::string(name_of(packet_kind::none)) == "none");
  int responses = 0;
  for (int i = 0; i <= static_cast<int>(packet_kind::traffic_response); ++i)
    if (is_response(static_cast<packet_kind>(i))) ++responses;
  CHECK(responses == 4);
  CHECK(response_to(packet_kind::traffic_request) == packet_kind::traffic_response);
}
