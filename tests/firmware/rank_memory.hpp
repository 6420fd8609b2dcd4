// The memory window of one rank: named regions with gaps between them that nobody may touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

// Who may do what to a region, or what somebody wants to do.
enum access : unsigned {
  core_read = 1,
  core_write = 2,
  engine_read = 4,   // DMA of this rank and its vector unit
  engine_write = 8,  // its vector unit
  peer_write = 16,   // DMA of any rank
};

struct region {
  std::string name;
  std::uint64_t offset;
  std::uint64_t bytes;
  unsigned rights;
};

class rank_memory final {
 public:
  explicit rank_memory(std::string owner) : owner_(std::move(owner)) {}

  // Appends a region, or gives the one of this name another place; returns its offset.
  std::uint64_t place(const std::string& name, std::uint64_t bytes, unsigned rights);
  std::uint64_t offset_of(const std::string& name) const;

  // The bytes [offset, offset + bytes), which must lie in one region that allows the access; else
  // std::runtime_error with the reason.
  std::byte* at(std::uint64_t offset, std::uint64_t bytes, access wanted);

  // The same for the test itself, which may do anything within regions.
  std::byte* look_at(const std::string& name);

 private:
  std::string owner_;
  std::vector<region> regions_;
  std::vector<std::byte> bytes_;
};

}  // namespace heddle::test
