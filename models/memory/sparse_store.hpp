// Bytes of a large address space, in pages that exist once somebody has written to them. What was
// never written reads as zero: pages come zeroed from the operating system, as huge ones where the
// store is as large as that, since most of the time of a large copy went to first touches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle {

class sparse_store {
 public:
  static constexpr std::uint64_t page_bytes = 2 * 1024 * 1024;  // a huge page of x86-64 and AArch64

  explicit sparse_store(std::uint64_t size);

  std::uint64_t size() const { return size_; }
  // [offset, offset + bytes) lies inside size().
  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const;
  void write(std::uint64_t offset, const void* from, std::uint64_t bytes);
  // The page that holds the offset, made when it does not exist yet.
  std::byte* page(std::uint64_t offset);
  std::uint64_t resident_bytes() const { return resident_pages_ * page_bytes; }

 private:
  struct unmap {
    void operator()(std::byte* page) const;
  };
  using mapped_page = std::unique_ptr<std::byte, unmap>;
  static mapped_page map_zeros(bool is_huge);

  std::uint64_t size_;
  std::vector<mapped_page> pages_;
  std::uint64_t resident_pages_ = 0;
};

}  // namespace heddle
