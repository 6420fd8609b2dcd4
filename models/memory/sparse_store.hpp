// Bytes of a large address space, which exist once somebody has written to them. What was never
// written reads as zero.
//
// The bytes lie in frames of 4 KiB, blocks like those of payload (transactors/packet/payload.hpp):
// a frame can be lent to whoever reads it and taken from whoever writes one, so that large copies
// copy nothing. A frame that somebody else holds is copied before it is changed. Pages to which
// somebody wants a pointer are contiguous instead, and their bytes are copied as ever.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "platform/pool/zero_pages.hpp"
#include "transactors/packet/payload.hpp"

namespace heddle {

class sparse_store {
 public:
  static constexpr std::uint64_t page_bytes = huge_page_bytes;
  static constexpr std::uint64_t frame_bytes = payload_slice::frame_bytes;
  // Contiguous pages that come first are small, and grow by what is touched: thousands of nodes at
  // rest hold a few words each. Those behind them are huge.
  static constexpr std::uint64_t small_pages = 2;

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

  // Makes `to` a slice of the bytes themselves, which stays as they are now. Returns false, and
  // lends nothing, unless they are a large part of one frame that exists. [offset, offset + bytes)
  // lies inside size().
  bool lend(std::uint64_t offset, std::uint64_t bytes, payload_slice& to);
  // Writes `bytes` bytes of `from` by sharing its block. Returns false, and writes nothing, unless
  // they are a whole frame both there and here.
  bool adopt(std::uint64_t offset, const payload_slice& from, std::uint64_t bytes);

  // The page that holds the offset, contiguous from now on; made when it does not exist yet. Its
  // bytes are not lent any more: nobody would notice that they are written to.
  std::byte* contiguous_page(std::uint64_t offset);

  std::uint64_t resident_bytes() const;

 private:
  struct unmap_page {
    void operator()(std::byte* page) const { unmap(page, page_bytes); }
  };
  static constexpr std::uint64_t frames_of_page = page_bytes / frame_bytes;
  static std::uint64_t index_of(std::uint64_t offset) {  // of the frame in its page
    return offset / frame_bytes % frames_of_page;
  }
  struct page {
    std::unique_ptr<std::byte, unmap_page> contiguous;  // or, as long as that is not there:
    std::unique_ptr<std::array<payload_slice, frames_of_page>> frames;
  };
  // 1 GiB of the address space.
  static constexpr std::uint64_t pages_of_block = 512;
  using page_block = std::array<page, pages_of_block>;
  // A frame that was found before; most accesses are of the same one as the access before.
  template <class Byte>
  struct known_frame {
    std::uint64_t number = UINT64_MAX;
    Byte* bytes = nullptr;
    bool holds(std::uint64_t offset) const { return offset / frame_bytes == number; }
    Byte* at(std::uint64_t offset) const { return bytes + offset % frame_bytes; }
  };

  // An aligned word lies in one frame.
  template <class Word>
  void read_word(std::uint64_t offset, void* to) const {
    std::memcpy(to, find(offset), sizeof(Word));
  }
  template <class Word>
  void write_word(std::uint64_t offset, const void* from) {
    std::memcpy(own(offset, false), from, sizeof(Word));
  }
  void read_bytes(std::uint64_t offset, void* to, std::uint64_t bytes) const;
  void write_bytes(std::uint64_t offset, const void* from, std::uint64_t bytes);

  // The byte, and what follows it in its frame.
  const std::byte* find(std::uint64_t offset) const {
    return readable_.holds(offset) ? readable_.at(offset) : look_up(offset);
  }
  // The same to write to, made where it does not exist and copied where it is shared, unless all of
  // the frame is overwritten now.
  std::byte* own(std::uint64_t offset, bool is_overwritten) {
    return writable_.holds(offset) ? writable_.at(offset) : make_own(offset, is_overwritten);
  }
  const std::byte* look_up(std::uint64_t offset) const;
  std::byte* make_own(std::uint64_t offset, bool is_overwritten);
  const page* find_page(std::uint64_t offset) const {
    const auto& block = blocks_[offset / page_bytes / pages_of_block];
    return block ? &(*block)[offset / page_bytes % pages_of_block] : nullptr;
  }
  page& make_page(std::uint64_t offset);
  // Of a page that is not contiguous.
  payload_slice& frame_of(page& its, std::uint64_t offset);
  // In a page that is not contiguous; nullptr where nobody has written to the frame.
  const payload_slice* find_frame(std::uint64_t offset) const;
  static void fetch_count_behind(const payload_slice& frame, std::uint64_t offset);
  void forget_known() {
    readable_ = {};
    writable_ = {};
  }

  std::uint64_t size_;
  std::vector<std::unique_ptr<page_block>> blocks_;
  mutable known_frame<const std::byte> readable_;
  known_frame<std::byte> writable_;  // nobody shares it
  std::uint64_t contiguous_pages_ = 0;
};

}  // namespace heddle
