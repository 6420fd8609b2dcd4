#include "platform/explain/breakdown.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace heddle {
namespace {

constexpr std::size_t most_spans = 5;

bool is_longer(const path_span& a, const path_span& b) {
  return a.length != b.length ? a.length > b.length : a.begin < b.begin;
}

void keep_if_long(std::vector<path_span>& longest, path_span candidate) {
  if (longest.size() == most_spans && !is_longer(candidate, longest.back())) return;
  const auto place = std::upper_bound(longest.begin(), longest.end(), candidate, is_longer);
  longest.insert(place, std::move(candidate));
  if (longest.size() > most_spans) longest.pop_back();
}

}  // namespace

fs_t breakdown::total() const {
  return std::accumulate(parts.begin(), parts.end(), fs_t{0});
}

breakdown break_down(const explanation& places, const cause& end, fs_t first_start, fs_t last_end) {
  breakdown result;
  fs_t until = last_end;
  for (const step* each = end.latest(); each && until > first_start; each = each->before) {
    const fs_t before = each->before ? each->before->when : first_start;
    const fs_t begin = std::clamp(before, first_start, until);
    if (begin == until) continue;
    result.parts[static_cast<std::size_t>(each->what)] += until - begin;
    keep_if_long(result.longest,
                 {each->what, places.name_of(each->where), begin - first_start, until - begin});
    until = begin;
  }
  assert(result.total() == last_end - first_start);
  return result;
}

}  // namespace heddle
