// Payload bytes: reference-counted slices of pooled blocks. Multicast shares a block, and so does a
// memory that lends its bytes or keeps those of a write: nobody writes into a block once a second
// slice refers to it. A slice without a block stands for bytes that are not carried (`data: off`):
// sizes and times stay the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle {

class payload_slice {
 public:
  // Blocks of this size lie at multiples of it: memories are made of them.
  static constexpr std::uint32_t frame_bytes = 4096;

  payload_slice() = default;
  static payload_slice allocate(std::uint32_t bytes);  // contents are undefined

  payload_slice(const payload_slice& other) : block_(other.block_), data_(other.data_) {
    if (block_) ++block_->references;
  }
  payload_slice(payload_slice&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)), data_(other.data_) {}
  payload_slice& operator=(payload_slice other) noexcept {
    std::swap(block_, other.block_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~payload_slice() { reset(); }

  explicit operator bool() const { return block_ != nullptr; }
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }

  // The bytes from `offset` on, sharing the block.
  payload_slice from(std::uint32_t offset) const {
    payload_slice slice(*this);
    if (slice.block_) slice.data_ += offset;
    return slice;
  }

  bool is_shared() const { return block_ && block_->references > 1; }
  // Before writing to the first `bytes` of it: takes a copy of them where the block is shared.
  void own(std::uint32_t bytes);
  // Whether it begins a block of frame_bytes.
  bool is_frame() const {
    return block_ && block_->size_class == frame_class && data_ == block_->bytes;
  }

  // Prefetches what counts the slices of the block.
  void fetch_count() const { __builtin_prefetch(block_, 1); }

  void reset() {
    if (block_ && --block_->references == 0) release(block_);
    block_ = nullptr;
  }

 private:
  static constexpr std::uint32_t frame_class = 12;
  static_assert(frame_bytes == 1U << frame_class);

  // Apart from the bytes: those of a block under way have left the caches, and who passes it on
  // only counts.
  struct block {
    std::uint32_t references = 0;
    std::uint32_t size_class = 0;  // log2 of the capacity
    block* next_free = nullptr;
    std::byte* bytes = nullptr;
  };
  static block* make_block(std::uint32_t size_class);
  static void release(block* unused);

  block* block_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace heddle
