// Caches of a SmartNIC in front of its DRAM, in time alone: the index filter itself is a bitmap
// (index_filter.hpp). Pairs of a client and a server share L1 and L2; all share the LLC, which
// keeps a directory of who has a line. A store takes the line for itself and invalidates the copies
// of others, so that setting a bit is an atomic OR.
//
// NetSparse Table 5: L1 32 KB and L2 128 KB a pair, LLC 16 MB, DRAM 64 GB/s. The source is silent
// about lines (64 B), ways (8), replacement (LRU), latencies (4, 14, 40 cycles, DRAM 80 ns) and
// coherence (40 cycles an invalidation).
//
// Limitations: misses to one line are not merged; a line that leaves the LLC stays in L1 and L2.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "platform/time/bandwidth.hpp"

namespace heddle {

struct nic_cache_settings {
  int pairs = 16;
  fs_t cycle = 0;
  std::uint64_t l1_bytes = 32 << 10, l2_bytes = 128 << 10, llc_bytes = 16 << 20;
  std::uint32_t l1_cycles = 4, l2_cycles = 14, llc_cycles = 40, invalidation_cycles = 40;
  fs_t dram_latency = 0;
  bandwidth dram_rate;
};

struct nic_cache_counts {
  std::uint64_t l1_hits = 0, l2_hits = 0, llc_hits = 0, dram = 0, invalidations = 0;
};

class nic_cache {
 public:
  static constexpr std::uint32_t line_bytes = 64;

  explicit nic_cache(const nic_cache_settings& settings);

  // How long the access takes when it begins at `when`. Lines are numbered from 0.
  fs_t load(int pair, std::uint64_t line, fs_t when) {
    if (l1_[static_cast<std::size_t>(pair)].is_latest(line)) {
      ++counts_.l1_hits;
      return l1_latency_;
    }
    return load_slowly(pair, line, when);
  }
  fs_t store(int pair, std::uint64_t line, fs_t when);
  // Writes of whole lines from outside, at the rate of the DRAM; caches forget everything.
  fs_t fill(std::uint64_t bytes, fs_t when);

  const nic_cache_counts& counts() const { return counts_; }

 private:
  static constexpr int ways = 8;
  using line_number = std::uint32_t;

  // Lines of a set in the order of their last use, latest first; 0 is none.
  class level {
   public:
    explicit level(std::uint64_t bytes);
    bool is_latest(std::uint64_t line) const {
      return sets_[line & mask_][0] == static_cast<line_number>(line + 1);
    }
    bool touch(std::uint64_t line);  // whether it is there; then it is the latest
    void insert(std::uint64_t line);
    void remove(std::uint64_t line);
    void clear();

   private:
    using set = std::array<line_number, ways>;
    std::vector<set> sets_;
    std::uint64_t mask_;
  };
  // Which caches hold a line: an entry of the LLC's directory.
  struct holders {
    std::uint32_t pairs = 0;
    bool is_owned = false;  // one pair may write it
  };

  fs_t load_slowly(int pair, std::uint64_t line, fs_t when);
  fs_t reach_llc(std::uint64_t line, fs_t when);
  holders& holders_of(std::uint64_t line);
  void take(int pair, std::uint64_t line);

  nic_cache_settings settings_;
  fs_t l1_latency_;
  std::vector<level> l1_, l2_;
  level llc_;
  std::vector<holders> directory_;  // by line
  fs_t dram_free_at_ = 0;
  nic_cache_counts counts_;
};

}  // namespace heddle
