// Which words of 8 bytes of a memory somebody has written, or may have written directly.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle {

class written_words {
 public:
  void add(std::uint64_t first, std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::uint64_t last = (first + bytes - 1) / word_bytes;
    for (std::uint64_t word = first / word_bytes; word <= last;) {
      const std::uint64_t number = word / words, end = std::min(last, word | (words - 1));
      if (!is_full(number)) add_to(number, word % words, end % words);
      word = end + 1;
    }
  }

  // Whether all of these bytes have been written.
  bool holds(std::uint64_t first, std::uint64_t bytes) const {
    if (bytes == 0) return true;
    const std::uint64_t last = (first + bytes - 1) / word_bytes;
    for (std::uint64_t word = first / word_bytes; word <= last;) {
      const std::uint64_t number = word / words, end = std::min(last, word | (words - 1));
      if (!is_full(number)) {
        const page* const at = find(number);
        if (!at || !holds_all(*at, word % words, end % words)) return false;
      }
      word = end + 1;
    }
    return true;
  }

 private:
  // Of a page: as large as what engines write at once, so that most pages are written whole.
  static constexpr std::uint64_t word_bytes = 8, words = 512;
  static constexpr std::uint64_t most_full_pages = 1 << 22;  // that are told apart, of 16 GiB
  using page = std::array<std::uint64_t, words / 64>;

  // The bits of [word, end] in the group of 64 that `word` lies in.
  static std::uint64_t mask(std::uint64_t word, std::uint64_t end) {
    const std::uint64_t upper = std::min(end, word | 63) % 64;
    return (~std::uint64_t{0} << word % 64) & (~std::uint64_t{0} >> (63 - upper));
  }
  static bool holds_all(const page& at, std::uint64_t word, std::uint64_t end) {
    for (; word <= end; word = (word | 63) + 1) {
      const std::uint64_t wanted = mask(word, end);
      if ((at[word / 64] & wanted) != wanted) return false;
    }
    return true;
  }

  void add_to(std::uint64_t number, std::uint64_t word, std::uint64_t end) {
    if (word == 0 && end == words - 1 && number < most_full_pages) return fill(number);
    page& at = made(number);
    for (; word <= end; word = (word | 63) + 1) at[word / 64] |= mask(word, end);
    if (number < most_full_pages && holds_all(at, 0, words - 1)) fill(number);
  }

  // Pages of which all is written are a bit each.
  bool is_full(std::uint64_t number) const { return number < full_.size() && full_[number]; }
  void fill(std::uint64_t number) {
    if (number >= full_.size()) full_.resize(number + 1);
    full_[number] = true;
    pages_.erase(number);
    found_before(number) = {};
  }

  page* find(std::uint64_t number) const {
    known_page& known = found_before(number);
    if (known.number == number) return known.at;
    const auto found = pages_.find(number);
    if (found == pages_.end()) return nullptr;
    known = {number, found->second.get()};
    return known.at;
  }
  page& made(std::uint64_t number) {
    if (page* const known = find(number)) return *known;
    auto& entry = pages_[number];
    entry = std::make_unique<page>();
    found_before(number) = {number, entry.get()};
    return *entry;
  }

  // Several write at a time, each in a page of its own, often at equal distances: the place of a
  // page is its number, multiplied so that such numbers go apart.
  struct known_page {
    std::uint64_t number = UINT64_MAX;
    page* at = nullptr;
  };
  known_page& found_before(std::uint64_t number) const {
    return known_[number * 0x9e3779b97f4a7c15 >> 59];
  }

  std::vector<bool> full_;
  std::unordered_map<std::uint64_t, std::unique_ptr<page>> pages_;  // the others
  mutable std::array<known_page, 32> known_;
};

}  // namespace heddle
