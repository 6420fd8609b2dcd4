#include "platform/explain/word_causes.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

// Where the word is, or where it would go.
std::size_t word_causes::index_of(std::uint64_t word) const {
  const std::size_t mask = entries_.size() - 1;
  std::size_t index = static_cast<std::size_t>(word * 0x9e3779b97f4a7c15ULL >> 32) & mask;
  while (entries_[index].word != word && entries_[index].word != UINT64_MAX)
    index = (index + 1) & mask;
  return index;
}

void word_causes::grow() {
  std::vector<entry> before(entries_.empty() ? 64 : 2 * entries_.size());
  std::swap(before, entries_);
  for (entry& each : before)
    if (each.word != UINT64_MAX) entries_[index_of(each.word)] = std::move(each);
}

void word_causes::note(std::uint64_t address, std::uint64_t bytes, const cause& writer) {
  for (std::uint64_t word = address / word_bytes; word * word_bytes < address + bytes; ++word) {
    if (2 * used_ >= entries_.size()) grow();
    entry& found = entries_[index_of(word)];
    if (found.word != word) ++used_;
    found.word = word;
    found.writer = writer;
  }
}

void word_causes::watch(std::uint64_t address) {
  const std::uint64_t word = address / word_bytes;
  watched_.insert(word);
  first_watched_ = std::min(first_watched_, word * word_bytes);
  last_watched_ = std::max(last_watched_, word * word_bytes);
}

void word_causes::note_those_watched(std::uint64_t address, std::uint64_t bytes,
                                     const cause& writer) {
  const std::uint64_t first = (address + word_bytes - 1) / word_bytes;
  for (auto each = watched_.lower_bound(first);
       each != watched_.end() && (*each + 1) * word_bytes <= address + bytes; ++each)
    note(*each * word_bytes, word_bytes, writer);
}

cause word_causes::find(std::uint64_t address, std::uint64_t bytes) const {
  cause last;
  if (entries_.empty()) return last;
  for (std::uint64_t word = address / word_bytes; word * word_bytes < address + bytes; ++word)
    last.join(entries_[index_of(word)].writer);
  return last;
}

}  // namespace heddle
