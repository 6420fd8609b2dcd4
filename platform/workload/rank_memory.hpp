// Where things lie in the memory window of a rank. The firmware learns it from the boot block. A
// window that is no larger than a mebibyte, as that of a tile in a mesh, has little to spare.
#pragma once

#include <cstdint>

namespace heddle {

struct rank_memory {
  static constexpr std::uint64_t smallest_roomy = 0x200000;
  explicit constexpr rank_memory(std::uint64_t window_bytes) {
    if (window_bytes >= smallest_roomy) return;
    job = 0x200;
    devices = 0x280;
    peers = 0x400;
    flags = 0x1000;
    rings = 0x2000;
    lines = 0;
    ring_entries = 4;
    data = 0x3000;
    alignment = 0x40;
  }

  static constexpr std::uint64_t boot = 0x0;
  std::uint64_t devices = 0x200;  // the table of the boot block
  std::uint64_t job = 0x1000;
  std::uint64_t peers = 0x2000;  // 8 B a rank
  std::uint64_t flags = 0x10000;
  std::uint64_t rings = 0x20000;  // of every channel, ring_entries descriptors of 32 B
  std::uint64_t ring_entries = 256;
  std::uint64_t lines = 0xf0000;  // receive slots of messages in lines; 0: none
  std::uint64_t data = 0x100000;  // the tensor, then the scratch memory
  std::uint64_t alignment = 0x1000;
  constexpr std::uint64_t device_bytes() const { return (job > devices ? job : peers) - devices; }
  constexpr std::uint64_t most_ranks() const { return (flags - peers) / 8; }
  constexpr std::uint64_t most_ring_entries(std::uint64_t channels) const {
    return ((lines != 0 ? lines : data) - rings) / (channels * 32);
  }
  constexpr std::uint64_t flag_bytes() const { return rings - flags; }
};

}  // namespace heddle
