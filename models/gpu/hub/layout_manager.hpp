// The layout manager in a GPU's hub (DySHARP III-D3): translates the algebraic number of a token
// into its place in the dense block of an expert, and allocates that place on first touch.
//
// Each expert has a sub-table in DRAM, an entry of 4 bytes a token (1 bit valid, 31 bits place),
// which dispatch and combine share. A TLB of few entries, tagged with expert and token, lies in
// front of it: fully associative, the least recently used entry goes. A miss reads the entry from
// memory, and one that allocates writes it back; requests for an entry that is on its way share
// the one read. Only so many misses are under way at a time, later ones wait.
//
// Everything happens at the call; the answer says when the translation is there in simulated time.
//
// Limitations: reads of entries take `memory_latency`, whatever else the memory does; write-backs
// take no time of their own.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/gpu/hub/layout_tlb.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

enum class layout_error : std::uint8_t { none, overflow, unmapped, expert };

struct layout_timing {
  std::uint32_t tlb_entries = 512;
  std::uint32_t misses = 16;  // under way at a time
  fs_t memory_latency = 0;
};

struct translation {
  std::uint32_t place = 0;  // within the expert's block
  fs_t ready = 0;
  layout_error error = layout_error::none;
  bool is_new = false;     // it was allocated just now
  std::uint32_t hits = 0;  // packets that found their entry in the TLB
};

class layout_manager {
 public:
  explicit layout_manager(const layout_timing& timing)
      : timing_(timing), tlb_(timing.tlb_entries) {}

  // Clears the tables: so many tokens in all, and of each sub-table the places that it may give.
  void configure(std::uint32_t tokens, std::vector<std::uint32_t> places);
  std::uint64_t table_bytes() const { return 4ULL * tokens_ * places_.size(); }

  // For a packet that stands for `packets`. Of a sub-table, allocating where the token has no
  // place there, or not.
  translation translate(std::uint32_t sub_table, std::uint32_t token, bool allocates,
                        std::uint32_t packets, fs_t now);
  // Without time, and without the TLB: `unmapped` where it has no place.
  translation look_up(std::uint32_t sub_table, std::uint32_t token) const;

  std::uint32_t given(std::uint32_t sub_table) const { return next_[sub_table]; }

 private:
  static constexpr std::uint32_t is_valid = 1U << 31;
  static std::uint64_t tag_of(std::uint32_t sub_table, std::uint32_t token) {
    return std::uint64_t{sub_table} << 32 | token;
  }
  // A token's entries lie side by side: they are used at about the same time, and a table of 8 MiB
  // is far larger than any cache of the simulator's host.
  std::size_t index_of(std::uint32_t sub_table, std::uint32_t token) const {
    return std::size_t{token} * places_.size() + sub_table;
  }
  fs_t read_entry(fs_t now);

  const layout_timing timing_;
  std::uint32_t tokens_ = 0;
  std::vector<std::uint32_t> places_, next_;  // by sub-table
  std::vector<std::uint32_t> table_;          // token by token
  layout_tlb tlb_;
  std::deque<fs_t> misses_;  // ends of those under way: all take as long, so the first ends first
};

}  // namespace heddle
