// What a memory knows beside its bytes while contracts watch buffers: which engine owns what, which
// words were ever written, and which entries of descriptor rings were written since an engine has
// completed them.
//
// Limitations: "written" counts in words of 8 bytes. A part of the memory to which somebody has
// direct access counts as written.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/buffers/buffer_claim.hpp"
#include "platform/buffers/written_words.hpp"

namespace heddle {

class buffer_shadow {
 public:
  void note_write(std::uint64_t first, std::uint64_t bytes) {
    written_.add(first, bytes);
    if (!rings_.empty() && first <= rings_last_ && rings_first_ < first + bytes)
      renew_entries(first, first + bytes - 1);
  }
  // An initiator writes there by direct access, which the memory does not see.
  void note_direct(std::uint64_t first, std::uint64_t last);
  bool is_written(std::uint64_t first, std::uint64_t bytes) const {
    return written_.holds(first, bytes);
  }

  void take(const buffer_claim& claim);
  // Ends the engine's claims of the pieces of work [first_work, last_work].
  void release(const std::string& engine, std::uint64_t first_work, std::uint64_t last_work);

  // Who owns a byte that is to be accessed; nullptr: the access is in order. What an engine only
  // reads may be read. Claims of `own` do not count.
  const buffer_claim* find(std::uint64_t first, std::uint64_t bytes, bool is_write,
                           const std::string* own = nullptr) const {
    const std::uint64_t last = first + bytes - 1;
    if (claims_.empty() || last < lowest_ || first > highest_) return nullptr;
    return search(first, last, is_write, own);
  }
  const std::vector<buffer_claim>& claims() const { return claims_; }

  // An engine reads descriptors here from now on.
  void add_ring(std::uint64_t first, std::uint64_t entries, std::uint64_t entry_bytes);
  // The entry has been written since it was last completed. True outside of rings, and where writes
  // are not seen.
  bool is_fresh(std::uint64_t entry) const;
  void complete(std::uint64_t entry);

 private:
  struct ring {
    std::uint64_t first = 0, last = 0, entry_bytes = 1;
    std::vector<bool> is_fresh;
    bool holds(std::uint64_t address) const { return first <= address && address <= last; }
  };
  const buffer_claim* search(std::uint64_t first, std::uint64_t last, bool is_write,
                             const std::string* own) const;
  void renew_entries(std::uint64_t first, std::uint64_t last);

  struct span {
    std::uint64_t first = 0, last = 0;
  };

  written_words written_;
  std::vector<span> direct_;
  std::vector<buffer_claim> claims_;
  std::uint64_t lowest_ = UINT64_MAX, highest_ = 0;  // around all claims since there was none
  std::vector<ring> rings_;
  std::uint64_t rings_first_ = UINT64_MAX, rings_last_ = 0;
};

}  // namespace heddle
