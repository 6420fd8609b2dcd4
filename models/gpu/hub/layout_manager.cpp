#include "models/gpu/hub/layout_manager.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

void layout_manager::configure(std::uint32_t tokens, std::vector<std::uint32_t> places) {
  tokens_ = tokens;
  places_ = std::move(places);
  next_.assign(places_.size(), 0);
  table_.assign(places_.size() * tokens, 0);
  tlb_.clear();
  misses_.clear();
}

translation layout_manager::look_up(std::uint32_t sub_table, std::uint32_t token) const {
  translation result;
  if (sub_table >= places_.size() || token >= tokens_) {
    result.error = layout_error::expert;
    return result;
  }
  const std::uint32_t entry = table_[index_of(sub_table, token)];
  result.place = entry & ~is_valid;
  if (!(entry & is_valid)) result.error = layout_error::unmapped;
  return result;
}

translation layout_manager::translate(std::uint32_t sub_table, std::uint32_t token, bool allocates,
                                      std::uint32_t packets, fs_t now) {
  translation result;
  if (sub_table >= places_.size() || token >= tokens_) {
    result.error = layout_error::expert;
    return result;
  }
  const std::uint64_t tag = tag_of(sub_table, token);
  if (const layout_tlb::entry* known = tlb_.find(tag)) {
    result.hits = packets;
    result.place = known->place;
    result.ready = std::max(now, known->ready);
    return result;
  }
  result.hits = packets - 1;  // those behind the first find what it has fetched
  result.ready = read_entry(now);
  std::uint32_t& entry = table_[index_of(sub_table, token)];
  result.place = entry & ~is_valid;
  if (!(entry & is_valid)) {
    result.error = !allocates                               ? layout_error::unmapped
                   : next_[sub_table] >= places_[sub_table] ? layout_error::overflow
                                                            : layout_error::none;
    if (result.error != layout_error::none) return result;
    result.is_new = true;
    result.place = next_[sub_table]++;
    entry = is_valid | result.place;
  }
  tlb_.fill({tag, result.ready, result.place});
  return result;
}

fs_t layout_manager::read_entry(fs_t now) {
  while (!misses_.empty() && misses_.front() <= now) misses_.pop_front();
  fs_t start = now;
  if (misses_.size() >= timing_.misses) {
    start = misses_.front();
    misses_.pop_front();
  }
  misses_.push_back(start + timing_.memory_latency);
  return start + timing_.memory_latency;
}

}  // namespace heddle
