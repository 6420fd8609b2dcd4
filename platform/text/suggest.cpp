#include "platform/text/suggest.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

// Nobody mistypes a name this long by a letter or two; the cost of comparing stays bounded.
constexpr std::size_t longest_comparable_word = 64;

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// A third, rounded to the nearest: one edit is already allowed in a word of two letters.
int allowed_edits(std::string_view word) {
  return static_cast<int>((word.size() + 1) / 3);
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before_last;
  std::vector<int> last(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > longest_comparable_word) return "";
  const std::string lower_word = lower_case(word);
  // A difference in case alone counts least, so 'GPUS' finds 'gpus' before 'gpu'.
  std::pair<int, int> shortest{allowed_edits(word) + 1, 0};
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates) {
    if (candidate == word || candidate.size() > longest_comparable_word) continue;
    const std::pair<int, int> distance{edit_distance(lower_word, lower_case(candidate)),
                                       edit_distance(word, candidate)};
    if (distance >= shortest || distance.first > allowed_edits(word)) continue;
    shortest = distance;
    best = &candidate;
  }
  return best == nullptr ? "" : *best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : " (did you mean '" + near + "'?)";
}

}  // namespace heddle
