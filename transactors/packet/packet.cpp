#include "transactors/packet/packet.hpp"

#include "platform/pool/object_pool.hpp"

namespace heddle {
namespace {

object_pool<packet, 1024>& pool() {
  return shared_pool<packet, 1024>();
}

}  // namespace

packet* take_packet() {
  return &pool().take();
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
