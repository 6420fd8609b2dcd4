// Bytes of a large address space, in pages that exist once somebody has written to them. What was
// never written reads as zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle {

class sparse_store {
 public:
  static constexpr std::uint64_t page_bytes = 256 * 1024;

  explicit sparse_store(std::uint64_t size);

  std::uint64_t size() const { return size_; }
  // [offset, offset + bytes) lies inside size().
  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const;
  void write(std::uint64_t offset, const void* from, std::uint64_t bytes);
  // The page that holds the offset, made when it does not exist yet.
  std::byte* page(std::uint64_t offset);
  std::uint64_t resident_bytes() const { return resident_pages_ * page_bytes; }

 private:
  std::uint64_t size_;
  std::vector<std::unique_ptr<std::byte[]>> pages_;
  std::uint64_t resident_pages_ = 0;
};

}  // namespace heddle
