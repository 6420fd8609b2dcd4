// The token tracker of a GPU (DySHARP IV-B): counts what has arrived of each tile of tokens (a row)
// of each expert, which tokens are in it, and of the GPU's own tokens how many experts are done.
//
//   TS table   rows on chip; bytes that have arrived
//   TID table  tokens of each row, in DRAM
//   OR table   own tokens on chip; experts that are done
//
// The tables on chip hold the entries that were used last; the others are in DRAM, and one that is
// not on chip is fetched at memory latency. Updates are made when memory has acknowledged what they
// are about; each call says when the update is seen.
//
// Limitations: fetched entries do not compete for the memory's bandwidth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/gpu/hub/use_order.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

// Which of many entries lie on chip: those that were used last.
class entries_on_chip {
 public:
  explicit entries_on_chip(std::uint32_t most) : most_(most) {}
  // Begins with so many entries in all, none of them on chip.
  void clear(std::size_t entries);
  // Whether it was there; it is from now on.
  bool touch(std::uint32_t entry);
  void forget(std::uint32_t entry);

 private:
  const std::uint32_t most_;
  std::uint32_t here_ = 0;
  use_order order_;
};

struct tracker_timing {
  std::uint32_t rows = 1024;    // entries of the TS table
  std::uint32_t tokens = 1024;  // of the OR table
  fs_t memory_latency = 0;
};

class token_tracker {
 public:
  explicit token_tracker(const tracker_timing& timing)
      : timing_(timing), rows_on_chip_(timing.rows), tokens_on_chip_(timing.tokens) {}

  struct update {
    fs_t seen = 0;
    bool is_ready = false;  // the row or token is complete with it
  };

  // Tables: an expert's block has so many tokens; a row is `tile` of them, the last one what is
  // left. Of own tokens: experts of each.
  void configure(const std::vector<std::uint32_t>& blocks, std::uint32_t tile,
                 std::uint64_t vector_bytes, std::vector<std::uint16_t> experts_of_token);

  std::uint32_t rows() const { return static_cast<std::uint32_t>(of_row_.size()); }
  std::uint32_t row_of(std::uint32_t block, std::uint32_t place) const {
    return first_row_[block] + place / tile_;
  }
  std::uint32_t block_of(std::uint32_t row) const { return of_row_[row].block; }
  std::uint32_t first_place(std::uint32_t row) const {
    return (row - first_row_[of_row_[row].block]) * tile_;
  }
  std::uint32_t first_row(std::uint32_t block) const { return first_row_[block]; }
  // TID: tokens of a row, by place.
  const std::vector<std::uint32_t>& tokens_of(std::uint32_t row) const {
    return of_row_[row].tokens;
  }

  // Bytes of a row that have not arrived.
  std::uint64_t missing(std::uint32_t row) const { return of_row_[row].missing; }

  void enter(std::uint32_t block, std::uint32_t place, std::uint32_t token);
  // Memory has acknowledged bytes of that row.
  update arrived(std::uint32_t row, std::uint32_t bytes, fs_t when);
  // The row's entry is not needed any more.
  void retire(std::uint32_t row) { rows_on_chip_.forget(row); }
  // An own token goes to so many experts, whatever configure() was told of it.
  void expect(std::uint32_t token, std::uint16_t experts) { left_[token] = experts; }
  // Experts of an own token that are not done.
  std::uint16_t experts_left(std::uint32_t token) const { return left_[token]; }
  // One of the experts of an own token is done.
  update expert_done(std::uint32_t token, fs_t when);

  std::uint64_t row_spills() const { return row_spills_; }
  std::uint64_t token_spills() const { return token_spills_; }

 private:
  struct row_entry {
    std::uint32_t block = 0;
    std::uint64_t missing = 0;          // bytes
    std::vector<std::uint32_t> tokens;  // by place
    bool is_touched = false;
  };

  const tracker_timing timing_;
  std::uint32_t tile_ = 1;
  std::vector<std::uint32_t> first_row_;  // by block
  std::vector<row_entry> of_row_;
  std::vector<std::uint16_t> left_;  // experts that are not done, by own token
  std::vector<char> is_token_touched_;
  entries_on_chip rows_on_chip_, tokens_on_chip_;
  std::uint64_t row_spills_ = 0, token_spills_ = 0;
};

}  // namespace heddle
