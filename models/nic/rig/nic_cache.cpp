#include "models/nic/rig/nic_cache.hpp"

#include <algorithm>

namespace heddle {

nic_cache::level::level(std::uint64_t bytes) {
  std::uint64_t sets = 1;
  while (2 * sets * ways * line_bytes <= bytes) sets *= 2;
  sets_.resize(sets);
  mask_ = sets - 1;
}

bool nic_cache::level::touch(std::uint64_t line) {
  set& in = sets_[line & mask_];
  const auto found = std::find(in.begin(), in.end(), static_cast<line_number>(line + 1));
  if (found == in.end()) return false;
  std::rotate(in.begin(), found, found + 1);
  return true;
}

void nic_cache::level::insert(std::uint64_t line) {
  set& in = sets_[line & mask_];
  std::copy_backward(in.begin(), in.end() - 1, in.end());
  in[0] = static_cast<line_number>(line + 1);
}

void nic_cache::level::remove(std::uint64_t line) {
  set& in = sets_[line & mask_];
  const auto found = std::find(in.begin(), in.end(), static_cast<line_number>(line + 1));
  if (found == in.end()) return;
  std::copy(found + 1, in.end(), found);
  in.back() = 0;
}

void nic_cache::level::clear() {
  std::fill(sets_.begin(), sets_.end(), set{});
}

nic_cache::nic_cache(const nic_cache_settings& settings)
    : settings_(settings),
      l1_latency_(settings.l1_cycles * settings.cycle),
      l1_(static_cast<std::size_t>(settings.pairs), level(settings.l1_bytes)),
      l2_(static_cast<std::size_t>(settings.pairs), level(settings.l2_bytes)),
      llc_(settings.llc_bytes) {}

nic_cache::holders& nic_cache::holders_of(std::uint64_t line) {
  if (line >= directory_.size()) directory_.resize(std::max(line + 1, 2 * directory_.size()));
  return directory_[line];
}

// From the LLC's tags to the data: of the LLC, or of the DRAM behind it.
fs_t nic_cache::reach_llc(std::uint64_t line, fs_t when) {
  const fs_t looked_up = settings_.llc_cycles * settings_.cycle;
  if (llc_.touch(line)) {
    ++counts_.llc_hits;
    return looked_up;
  }
  ++counts_.dram;
  llc_.insert(line);
  const fs_t start = std::max(when + looked_up, dram_free_at_);
  dram_free_at_ = start + settings_.dram_rate.duration(line_bytes);
  return dram_free_at_ + settings_.dram_latency - when;
}

void nic_cache::take(int pair, std::uint64_t line) {
  const auto p = static_cast<std::size_t>(pair);
  l1_[p].insert(line);
  if (!l2_[p].touch(line)) l2_[p].insert(line);
}

fs_t nic_cache::load_slowly(int pair, std::uint64_t line, fs_t when) {
  const auto p = static_cast<std::size_t>(pair);
  if (l1_[p].touch(line)) {
    ++counts_.l1_hits;
    return l1_latency_;
  }
  if (l2_[p].touch(line)) {
    ++counts_.l2_hits;
    l1_[p].insert(line);
    return settings_.l2_cycles * settings_.cycle;
  }
  fs_t taken = reach_llc(line, when);
  holders& known = holders_of(line);
  const std::uint32_t self = 1U << pair;
  if (known.is_owned && known.pairs != self) {  // its owner writes it back and keeps a copy
    known.is_owned = false;
    taken += settings_.invalidation_cycles * settings_.cycle;
    ++counts_.invalidations;
  }
  known.pairs |= self;
  take(pair, line);
  return taken;
}

fs_t nic_cache::store(int pair, std::uint64_t line, fs_t when) {
  const auto p = static_cast<std::size_t>(pair);
  holders& known = holders_of(line);
  const std::uint32_t self = 1U << pair;
  const bool is_here = l1_[p].touch(line);
  if (is_here && known.is_owned && known.pairs == self) {
    ++counts_.l1_hits;
    return l1_latency_;
  }
  fs_t taken = reach_llc(line, when);
  std::uint32_t others = known.pairs & ~self;
  for (; others != 0; others &= others - 1) {
    const auto other = static_cast<std::size_t>(__builtin_ctz(others));
    l1_[other].remove(line);
    l2_[other].remove(line);
    taken += settings_.invalidation_cycles * settings_.cycle;
    ++counts_.invalidations;
  }
  known = {self, true};
  if (!is_here) take(pair, line);
  return taken;
}

fs_t nic_cache::fill(std::uint64_t bytes, fs_t when) {
  for (auto* each : {&l1_, &l2_})
    for (level& one : *each) one.clear();
  llc_.clear();
  std::fill(directory_.begin(), directory_.end(), holders{});
  const fs_t start = std::max(when, dram_free_at_);
  dram_free_at_ = start + settings_.dram_rate.duration(bytes);
  return dram_free_at_ + settings_.dram_latency - when;
}

}  // namespace heddle
