// Bytes of a large address space, in pages that exist once somebody has written to them. What was
// never written reads as zero: pages come zeroed from the operating system. The first pages of a
// store grow by what is touched, 4 KiB at a time, so that thousands of nodes at rest are small; a
// store in which more is written gets huge ones, since most of the time of a large copy went to
// first touches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace heddle {

class sparse_store {
 public:
  static constexpr std::uint64_t page_bytes = 2 * 1024 * 1024;  // a huge page of x86-64 and AArch64
  static constexpr std::uint64_t small_pages = 2;  // that come first: flags, rings, small tensors

  explicit sparse_store(std::uint64_t size);

  std::uint64_t size() const { return size_; }
  // [offset, offset + bytes) lies inside size().
  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const {
    // Most accesses are of words, and a copy of any length is a call into the library.
    if (bytes == 4 && offset % 4 == 0) return read_word<std::uint32_t>(offset, to);
    if (bytes == 8 && offset % 8 == 0) return read_word<std::uint64_t>(offset, to);
    read_bytes(offset, to, bytes);
  }
  void write(std::uint64_t offset, const void* from, std::uint64_t bytes) {
    if (bytes == 4 && offset % 4 == 0) return write_word<std::uint32_t>(offset, from);
    if (bytes == 8 && offset % 8 == 0) return write_word<std::uint64_t>(offset, from);
    write_bytes(offset, from, bytes);
  }
  // The page that holds the offset, made when it does not exist yet.
  std::byte* page(std::uint64_t offset);
  std::uint64_t resident_bytes() const { return resident_pages_ * page_bytes; }

 private:
  struct unmap {
    void operator()(std::byte* page) const;
  };
  using mapped_page = std::unique_ptr<std::byte, unmap>;
  static mapped_page map_zeros(bool is_huge);
  // An aligned word lies in one page.
  template <class Word>
  void read_word(std::uint64_t offset, void* to) const {
    Word word = 0;
    const std::byte* const page = find(offset / page_bytes);
    if (page) std::memcpy(&word, page + offset % page_bytes, sizeof word);
    std::memcpy(to, &word, sizeof word);
  }
  template <class Word>
  void write_word(std::uint64_t offset, const void* from) {
    std::memcpy(page(offset) + offset % page_bytes, from, sizeof(Word));
  }
  void read_bytes(std::uint64_t offset, void* to, std::uint64_t bytes) const;
  void write_bytes(std::uint64_t offset, const void* from, std::uint64_t bytes);

  // 1 GiB of the address space.
  static constexpr std::uint64_t pages_of_block = 512;
  using page_block = std::array<mapped_page, pages_of_block>;
  const std::byte* find(std::uint64_t number) const {
    const auto& block = blocks_[number / pages_of_block];
    return block ? (*block)[number % pages_of_block].get() : nullptr;
  }

  std::uint64_t size_;
  std::vector<std::unique_ptr<page_block>> blocks_;
  std::uint64_t resident_pages_ = 0;
};

}  // namespace heddle
