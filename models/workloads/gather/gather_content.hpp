// What lies in the memory of one node of a gather, described instead of stored: the columns of its
// nonzeros as the matrix says them, its own properties, and a place for each property of the matrix
// that it may ask for. Each property that arrives is compared on the spot; a bit records that it
// came, another that it was wanted.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nic/gather_memory/gather_memory.hpp"
#include "models/sparse/nonzero_source.hpp"

namespace heddle {

// Offsets in the window of every node.
struct gather_layout {
  std::uint64_t indices = 0, properties = 0, destination = 0, end = 0;
};
gather_layout layout_of(const nonzero_source& matrix, std::uint32_t length, std::uint64_t data,
                        std::uint64_t alignment);

class gather_content final : public described_content {
 public:
  gather_content(const nonzero_source& matrix, std::uint32_t node, std::uint32_t length,
                 const gather_layout& layout, std::uint64_t seed);

  bool holds(std::uint64_t offset, std::uint32_t bytes) const override;
  void read(std::uint64_t offset, std::byte* to, std::uint32_t bytes) override;
  void write(std::uint64_t offset, const std::byte* from, std::uint32_t bytes) override;

  // Properties that were wanted and never came, and that came with other bytes than they have.
  std::uint64_t missing() const;
  std::uint64_t wrong() const { return wrong_; }
  std::uint64_t first_wrong() const { return first_wrong_; }
  std::uint64_t distinct() const;  // remote properties that were wanted

 private:
  void read_indices(std::uint64_t first, std::byte* to, std::uint32_t count);

  const nonzero_source& matrix_;
  const std::uint32_t node_, length_;
  const gather_layout layout_;
  const std::uint64_t seed_;
  const std::uint64_t first_own_, own_, nonzeros_, columns_;
  std::vector<std::uint64_t> wanted_, arrived_;  // a bit a column
  std::vector<column_index> read_ahead_;         // used again and again
  std::uint64_t wrong_ = 0, first_wrong_ = 0;
};

}  // namespace heddle
