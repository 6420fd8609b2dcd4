// Where things lie in the memory window of a rank. The firmware learns it from the boot block.
#pragma once

#include <cstdint>

namespace heddle::rank_memory {

inline constexpr std::uint64_t boot = 0x0;
inline constexpr std::uint64_t job = 0x1000;
inline constexpr std::uint64_t peers = 0x2000;  // 8 B a rank
inline constexpr std::uint64_t flags = 0x10000;
inline constexpr std::uint64_t rings = 0x20000;  // 16 channels x 256 descriptors x 32 B
inline constexpr std::uint64_t ring_entries = 256;
inline constexpr std::uint64_t data = 0x100000;  // the tensor, then the scratch memory
inline constexpr std::uint64_t alignment = 0x1000;
inline constexpr std::uint64_t most_ranks = (flags - peers) / 8;

}  // namespace heddle::rank_memory
