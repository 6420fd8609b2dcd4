#include "models/memory/sparse_store.hpp"

#include <algorithm>

#include "platform/pool/fetch_ahead.hpp"

namespace heddle {

sparse_store::sparse_store(std::uint64_t size)
    : size_(size), blocks_(size / page_bytes / pages_of_block + 1) {}

sparse_store::page& sparse_store::make_page(std::uint64_t offset) {
  auto& block = blocks_[offset / page_bytes / pages_of_block];
  if (!block) block = std::make_unique<page_block>();
  return (*block)[offset / page_bytes % pages_of_block];
}

payload_slice& sparse_store::frame_of(page& its, std::uint64_t offset) {
  if (!its.frames) its.frames = std::make_unique<std::array<payload_slice, frames_of_page>>();
  return (*its.frames)[index_of(offset)];
}

const payload_slice* sparse_store::find_frame(std::uint64_t offset) const {
  const page* const its = find_page(offset);
  if (!its || !its->frames) return nullptr;
  const payload_slice& frame = (*its->frames)[index_of(offset)];
  return frame ? &frame : nullptr;
}

const std::byte* sparse_store::look_up(std::uint64_t offset) const {
  alignas(64) static const std::array<std::byte, frame_bytes> nobody_wrote{};
  const page* const its = find_page(offset);
  const std::byte* bytes = nobody_wrote.data();
  if (its && its->contiguous)
    bytes = its->contiguous.get() + frame_bytes * index_of(offset);
  else if (const payload_slice* frame = find_frame(offset))
    bytes = frame->data();
  readable_ = {offset / frame_bytes, bytes};
  return readable_.at(offset);
}

std::byte* sparse_store::make_own(std::uint64_t offset, bool is_overwritten) {
  page& its = make_page(offset);
  const std::uint64_t number = offset / frame_bytes;
  if (its.contiguous) {
    writable_ = {number, its.contiguous.get() + frame_bytes * index_of(offset)};
    return writable_.at(offset);
  }
  payload_slice& frame = frame_of(its, offset);
  if (!frame || (is_overwritten && frame.is_shared())) {
    frame = payload_slice::allocate(frame_bytes);
    if (!is_overwritten) std::memset(frame.data(), 0, frame_bytes);
  } else {
    frame.own(frame_bytes);
  }
  readable_ = {number, frame.data()};
  writable_ = {number, frame.data()};
  return writable_.at(offset);
}

// A small part would be cheap to copy, and the whole frame is copied if it is written to meanwhile.
bool sparse_store::lend(std::uint64_t offset, std::uint64_t bytes, payload_slice& to) {
  constexpr std::uint64_t least = frame_bytes / 2;
  if (bytes < least || offset % frame_bytes + bytes > frame_bytes) return false;
  const payload_slice* const frame = find_frame(offset);
  if (!frame) return false;
  to = frame->from(static_cast<std::uint32_t>(offset % frame_bytes));
  if (writable_.holds(offset)) writable_ = {};
  fetch_count_behind(*frame, offset);
  return true;
}

bool sparse_store::adopt(std::uint64_t offset, const payload_slice& from, std::uint64_t bytes) {
  if (bytes != frame_bytes || offset % frame_bytes != 0 || !from.is_frame()) return false;
  page& its = make_page(offset);
  if (its.contiguous) return false;
  payload_slice& frame = frame_of(its, offset);
  frame = from;
  forget_known();
  fetch_count_behind(frame, offset);
  return true;
}

// Large transfers go from frame to frame: the one behind is lent or replaced next.
void sparse_store::fetch_count_behind(const payload_slice& frame, std::uint64_t offset) {
  if (index_of(offset) + 1 < frames_of_page) (&frame + 1)->fetch_count();
}

std::byte* sparse_store::contiguous_page(std::uint64_t offset) {
  page& its = make_page(offset);
  if (its.contiguous) return its.contiguous.get();
  const bool is_huge = size_ >= page_bytes && contiguous_pages_ >= small_pages;
  its.contiguous.reset(is_huge ? map_huge_zeros(page_bytes) : map_zeros(page_bytes));
  ++contiguous_pages_;
  forget_known();
  if (!its.frames) return its.contiguous.get();
  for (std::uint64_t i = 0; i < frames_of_page; ++i)
    if (const payload_slice& frame = (*its.frames)[i])
      std::memcpy(its.contiguous.get() + i * frame_bytes, frame.data(), frame_bytes);
  its.frames.reset();
  return its.contiguous.get();
}

void sparse_store::read_bytes(std::uint64_t offset, void* to, std::uint64_t bytes) const {
  auto* out = static_cast<std::byte*>(to);
  while (bytes > 0) {
    const std::uint64_t part = std::min(bytes, frame_bytes - offset % frame_bytes);
    const std::byte* const from = find(offset);
    std::memcpy(out, from, part);
    fetch_ahead(from, part);
    out += part;
    offset += part;
    bytes -= part;
  }
}

void sparse_store::write_bytes(std::uint64_t offset, const void* from, std::uint64_t bytes) {
  const auto* in = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const std::uint64_t part = std::min(bytes, frame_bytes - offset % frame_bytes);
    std::byte* const to = own(offset, part == frame_bytes);
    std::memcpy(to, in, part);
    fetch_ahead(to, part);
    in += part;
    offset += part;
    bytes -= part;
  }
}

std::uint64_t sparse_store::resident_bytes() const {
  std::uint64_t sum = contiguous_pages_ * page_bytes;
  for (const auto& block : blocks_) {
    if (!block) continue;
    for (const page& each : *block)
      if (each.frames)
        for (const payload_slice& frame : *each.frames) sum += frame ? frame_bytes : 0;
  }
  return sum;
}

}  // namespace heddle
