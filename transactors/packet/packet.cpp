#include "transactors/packet/packet.hpp"

#include <memory>
#include <vector>

namespace heddle {
namespace {

class packet_pool {
 public:
  packet* take() {
    if (!free_) grow();
    packet* taken = free_;
    free_ = taken->next;
    taken->next = nullptr;
    return taken;
  }
  void give_back(packet* used) {
    *used = packet{};
    used->next = free_;
    free_ = used;
  }

 private:
  static constexpr std::size_t slab_packets = 1024;

  void grow() {
    slabs_.push_back(std::make_unique<packet[]>(slab_packets));
    for (std::size_t i = 0; i < slab_packets; ++i) {
      slabs_.back()[i].next = free_;
      free_ = &slabs_.back()[i];
    }
  }

  packet* free_ = nullptr;
  std::vector<std::unique_ptr<packet[]>> slabs_;
};

packet_pool& pool() {
  static packet_pool the_pool;
  return the_pool;
}

}  // namespace

const char* name_of(packet_kind kind) {
  static constexpr const char* names[packet_kinds] = {
      "read_request",    "read_response", "write_request", "write_response",  "atomic_request",
      "atomic_response", "flit",          "traffic",       "traffic_request", "traffic_response"};
  return names[static_cast<int>(kind)];
}

packet* take_packet() {
  return pool().take();
}
void give_back(packet* used) {
  pool().give_back(used);
}

}  // namespace heddle
