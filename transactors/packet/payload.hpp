// Payload bytes: reference-counted slices of pooled blocks. Multicast shares a block; nobody writes
// into a block once a second slice refers to it. A slice without a block stands for bytes that
// are not carried (`data: off`): sizes and times stay the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle {

class payload_slice {
 public:
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

  void reset() {
    if (block_ && --block_->references == 0) release(block_);
    block_ = nullptr;
  }

 private:
  struct block {
    std::uint32_t references;
    std::uint32_t size_class;  // log2 of the capacity
    block* next_free;
  };
  static void release(block* unused);

  block* block_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace heddle
