#include "platform/trace/glob.hpp"

namespace heddle {

// Only the last star needs to be widened after a mismatch: earlier ones have already matched as
// little as possible, so the search is at worst the product of both lengths.
bool glob_match(std::string_view pattern, std::string_view name) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = none;
  std::size_t after_star = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != none) {
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace heddle
