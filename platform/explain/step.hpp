// Steps of a chain: what happened until when, and the step before. Up to four that follow each
// other lie in one block of a cache line, because most chains only ever grow at their end. A block
// is counted by the causes and by the blocks behind it that lead to any of its steps.
#pragma once

#include <array>
#include <cstdint>

#include "platform/explain/category.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

using site_id = std::uint32_t;  // a unit or a wire, see explanation.hpp

struct step_block;

// One of the steps of a block, or none. It counts nothing: it holds as long as a cause leads to it.
class step {
 public:
  step() = default;
  step(step_block& of, std::uint32_t index)
      : bits_(reinterpret_cast<std::uintptr_t>(&of) | index) {}

  explicit operator bool() const { return bits_ != 0; }
  bool operator==(const step& other) const { return bits_ == other.bits_; }
  inline fs_t when() const;  // its end
  inline category what() const;
  inline site_id where() const;
  inline step before() const;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): these bits are the address of a block
  step_block& block() const { return *reinterpret_cast<step_block*>(bits_ & ~index_mask); }
  std::uint32_t index() const { return static_cast<std::uint32_t>(bits_ & index_mask); }

 private:
  static constexpr std::uintptr_t index_mask = 3;  // blocks are aligned

  std::uintptr_t bits_ = 0;
};

struct alignas(64) step_block {
  static constexpr std::uint32_t most_steps = 4;

  step before;  // of its first step
  std::uint32_t references = 0;
  std::uint32_t steps = 0;
  std::array<fs_t, most_steps> when{};
  std::array<std::uint32_t, most_steps> site{};

  // Where and what in one number.
  static std::uint32_t site_of(category what, site_id where) {
    return where << 8 | static_cast<std::uint32_t>(what);
  }
};

static_assert(sizeof(step_block) == 64);

inline fs_t step::when() const {
  return block().when[index()];
}
inline category step::what() const {
  return static_cast<category>(block().site[index()] & 0xff);
}
inline site_id step::where() const {
  return block().site[index()] >> 8;
}
inline step step::before() const {
  return index() > 0 ? step(block(), index() - 1) : block().before;
}

}  // namespace heddle
