#include "tools/regs/check_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::regs {
namespace {

// What a register or an array takes of its block or element.
struct extent {
  std::string what;  // "register 'status'"
  std::uint64_t begin;
  std::uint64_t end;
  const source_place* place;

  std::string range() const { return fmt::format("{:#x}..{:#x}", begin, end - 1); }
};

extent extent_of(const reg& one) {
  return {fmt::format("register '{}'", one.name), one.offset, one.offset + one.bytes(), &one.place};
}

extent extent_of(const reg_array& one) {
  return {fmt::format("array '{}'", one.name), one.offset, one.offset + one.count * one.stride,
          &one.place};
}

void check_extents(std::vector<extent> all, const std::string& owner, std::uint64_t size) {
  for (const extent& one : all) {
    if (one.end <= size) continue;
    throw user_error(*one.place, fmt::format("{} at {} is beyond {}, {:#x} bytes", one.what,
                                             one.range(), owner, size));
  }
  // Stable: of two at the same offset the one written later is to blame.
  std::stable_sort(all.begin(), all.end(),
                   [](const extent& a, const extent& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < all.size(); ++i) {
    const extent& before = all[i - 1];
    if (all[i].begin >= before.end) continue;
    throw user_error(*all[i].place, fmt::format("{} at {} overlaps {} at {}", all[i].what,
                                                all[i].range(), before.what, before.range()));
  }
}

// Every element must keep its registers aligned.
void check_alignment(const reg_array& array) {
  std::uint64_t alignment = 4;
  for (const reg& one : array.registers)
    alignment = std::max<std::uint64_t>(alignment, one.bytes());
  const auto check = [&](const char* what, std::uint64_t value) {
    if (value % alignment == 0) return;
    throw user_error(array.place, fmt::format("{} {:#x} of array '{}' is not a multiple of {}",
                                              what, value, array.name, alignment));
  };
  check("offset", array.offset);
  check("stride", array.stride);
}

}  // namespace

void check_layout(const block& checked) {
  std::vector<extent> all;
  for (const reg& one : checked.registers) all.push_back(extent_of(one));
  for (const reg_array& array : checked.arrays) {
    check_alignment(array);
    std::vector<extent> inside;
    for (const reg& one : array.registers) inside.push_back(extent_of(one));
    check_extents(inside, fmt::format("the stride of array '{}'", array.name), array.stride);
    all.push_back(extent_of(array));
  }
  check_extents(all, fmt::format("block '{}'", checked.name), checked.size);
}

}  // namespace heddle::regs
