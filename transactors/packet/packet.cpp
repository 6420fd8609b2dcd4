#include "transactors/packet/packet.hpp"

#include "platform/pool/object_pool.hpp"

namespace heddle {
namespace {

object_pool<packet, 1024>& pool() {
  return shared_pool<packet, 1024>();
}

}  // namespace

// The next one has left the caches where many are under way.
packet* take_packet() {
  packet& taken = pool().take();
  if (const packet* next = pool().next()) next->prefetch();
  return &taken;
}

// Payload, cause and header go back to their own pools.
void give_back(packet* used) {
  *used = packet{};
  pool().give_back(*used);
}

std::size_t packets_in_use() {
  return pool().in_use();
}

}  // namespace heddle
