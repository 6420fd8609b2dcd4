// Property cache of one middle pipe (NetSparse 6.2.2, Fig 9): segments of 512 sets of 16 ways of
// 16 B. Lines of 16 x 2^m bytes use 2^m adjacent segments together. Index bits from low to high:
// set (9), segment (5), tag. With lines of 16 x 2^m the lowest m bits of the segment do not select,
// so they belong to the tag: the whole index is compared here. Where segments are no power of two,
// the segment is the rest of a division.
//
// LRU in a set; look-ups that hit renew (the source is silent). Without bytes (`data: off`) hits
// and misses are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class property_cache {
 public:
  static constexpr std::uint32_t ways = 16, sets_of_segment = 512, unit_bytes = 16;
  static constexpr std::uint32_t longest_line = 512;
  static constexpr std::uint64_t segment_bytes = std::uint64_t{sets_of_segment} * ways * unit_bytes;

  // `bytes`: capacity, of which multiples of least_bytes() are used.
  explicit property_cache(std::uint64_t bytes) : bytes_(bytes) {}

  // A line holds a property: the next power of two of its bytes, from 16 on.
  static constexpr std::uint32_t line_for(std::uint32_t length) {
    return unit_bytes << mode_for(length);
  }
  // The segments that properties of that length use together, in bytes: a smaller cache holds none
  // of them.
  static constexpr std::uint64_t least_bytes(std::uint32_t length) {
    return segment_bytes << mode_for(length);
  }
  std::uint64_t used_bytes(std::uint32_t length) const {
    return bytes_ - bytes_ % least_bytes(length);
  }

  // Empties it for properties of that length.
  void reset(std::uint32_t length, bool carries_data);
  bool is_usable() const { return !tags_.empty(); }
  std::uint32_t line_bytes() const { return line_; }

  // The way that holds it, or `none`; a hit is the latest of its set from then on.
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t find(std::uint64_t index);
  const std::byte* bytes_at(std::uint32_t place) const {
    return data_.empty() ? nullptr : data_.data() + std::size_t{place} * line_;
  }
  // Whether it was absent. `has_evicted` tells that another made room.
  bool insert(std::uint64_t index, const std::byte* bytes, bool& has_evicted);

 private:
  static constexpr std::uint64_t empty = UINT64_MAX;
  // m, where lines have 16 x 2^m bytes.
  static constexpr std::uint32_t mode_for(std::uint32_t length) {
    std::uint32_t mode = 0;
    while (unit_bytes << mode < length) ++mode;
    return mode;
  }
  std::uint32_t set_of(std::uint64_t index) const {
    const auto set = static_cast<std::uint32_t>(index % sets_of_segment);
    const auto group = static_cast<std::uint32_t>((index / sets_of_segment >> mode_) % groups_);
    return (group * sets_of_segment + set) * ways;
  }

  std::uint64_t bytes_;
  std::uint32_t length_ = 0, line_ = 0, mode_ = 0;
  std::uint32_t groups_ = 0;  // of 2^m segments; 0: there is no cache
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint32_t> used_;  // when, counted in accesses
  std::vector<std::byte> data_;
  std::uint32_t clock_ = 0;
};

}  // namespace heddle
