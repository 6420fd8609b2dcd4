#include "platform/buffers/buffer_shadow.hpp"

#include <algorithm>

namespace heddle {

void buffer_shadow::note_direct(std::uint64_t first, std::uint64_t last) {
  written_.add(first, last - first + 1);
  for (const span& each : direct_)
    if (each.first <= first && last <= each.last) return;
  direct_.push_back({first, last});
}

void buffer_shadow::take(const buffer_claim& claim) {
  lowest_ = std::min(lowest_, claim.first);
  highest_ = std::max(highest_, claim.last);
  claims_.push_back(claim);
}

void buffer_shadow::release(const std::string& engine, std::uint64_t first_work,
                            std::uint64_t last_work) {
  const auto is_over = [&](const buffer_claim& each) {
    return each.engine == &engine && first_work <= each.work && each.work <= last_work;
  };
  claims_.erase(std::remove_if(claims_.begin(), claims_.end(), is_over), claims_.end());
  if (!claims_.empty()) return;
  lowest_ = UINT64_MAX;
  highest_ = 0;
}

const buffer_claim* buffer_shadow::search(std::uint64_t first, std::uint64_t last, bool is_write,
                                          const std::string* own) const {
  for (const buffer_claim& each : claims_) {
    const bool may_be_read = each.use != buffer_use::destination;
    if (!each.overlaps(first, last) || (!is_write && may_be_read)) continue;
    if (own == nullptr || each.engine != own) return &each;
  }
  return nullptr;
}

void buffer_shadow::add_ring(std::uint64_t first, std::uint64_t entries,
                             std::uint64_t entry_bytes) {
  const std::uint64_t last = first + entries * entry_bytes - 1;
  for (const ring& each : rings_)
    if (each.first == first && each.last == last) return;
  const auto overlaps = [&](const ring& each) { return each.first <= last && first <= each.last; };
  rings_.erase(std::remove_if(rings_.begin(), rings_.end(), overlaps), rings_.end());
  ring& made = rings_.emplace_back();
  made.first = first;
  made.last = last;
  made.entry_bytes = entry_bytes;
  for (std::uint64_t i = 0; i < entries; ++i)
    made.is_fresh.push_back(is_written(first + i * entry_bytes, entry_bytes));
  rings_first_ = std::min(rings_first_, first);
  rings_last_ = std::max(rings_last_, last);
}

bool buffer_shadow::is_fresh(std::uint64_t entry) const {
  for (const span& each : direct_)
    if (each.first <= entry && entry <= each.last) return true;
  for (const ring& each : rings_)
    if (each.holds(entry)) return each.is_fresh[(entry - each.first) / each.entry_bytes];
  return true;
}

void buffer_shadow::complete(std::uint64_t entry) {
  for (ring& each : rings_)
    if (each.holds(entry)) each.is_fresh[(entry - each.first) / each.entry_bytes] = false;
}

void buffer_shadow::renew_entries(std::uint64_t first, std::uint64_t last) {
  for (ring& each : rings_) {
    if (last < each.first || each.last < first) continue;
    const std::uint64_t from = std::max(first, each.first) - each.first;
    const std::uint64_t to = std::min(last, each.last) - each.first;
    for (std::uint64_t i = from / each.entry_bytes; i <= to / each.entry_bytes; ++i)
      each.is_fresh[i] = true;
  }
}

}  // namespace heddle
