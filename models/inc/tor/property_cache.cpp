#include "models/inc/tor/property_cache.hpp"

#include <cstring>

namespace heddle {

void property_cache::reset(std::uint32_t length, bool carries_data) {
  length_ = length;
  mode_ = mode_for(length);
  line_ = line_for(length);
  groups_ = static_cast<std::uint32_t>(bytes_ / least_bytes(length));
  const std::size_t lines = std::size_t{groups_} * sets_of_segment * ways;
  clock_ = 0;
  tags_.assign(lines, empty);
  used_.assign(lines, 0);
  data_.assign(carries_data ? lines * line_ : 0, std::byte{0});
}

std::uint32_t property_cache::find(std::uint64_t index) {
  const std::uint32_t first = set_of(index);
  for (std::uint32_t place = first; place < first + ways; ++place)
    if (tags_[place] == index) {
      used_[place] = ++clock_;
      return place;
    }
  return none;
}

bool property_cache::insert(std::uint64_t index, const std::byte* bytes, bool& has_evicted) {
  has_evicted = false;
  const std::uint32_t first = set_of(index);
  std::uint32_t oldest = first;
  for (std::uint32_t place = first; place < first + ways; ++place) {
    if (tags_[place] == index) return false;
    if (used_[place] < used_[oldest]) oldest = place;
  }
  has_evicted = tags_[oldest] != empty;
  tags_[oldest] = index;
  used_[oldest] = ++clock_;
  if (bytes && !data_.empty())
    std::memcpy(data_.data() + std::size_t{oldest} * line_, bytes, length_);
  return true;
}

}  // namespace heddle
