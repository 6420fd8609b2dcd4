#include "platform/explain/breakdown.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t most_spans = 5;

bool is_longer(const path_span& a, const path_span& b) {
  return a.length != b.length ? a.length > b.length : a.begin < b.begin;
}

void keep_if_long(std::vector<path_span>& longest, path_span candidate) {
  if (longest.size() == most_spans && !is_longer(candidate, longest.back())) return;
  const auto position = std::upper_bound(longest.begin(), longest.end(), candidate, is_longer);
  longest.insert(position, std::move(candidate));
  if (longest.size() > most_spans) longest.pop_back();
}

struct raw_step {
  category what;
  site_id where;
  fs_t begin, length;
};

std::vector<path_share> shares_of(const explanation& sites, std::vector<raw_step> steps) {
  const auto key = [](const raw_step& each) { return std::pair(each.what, each.where); };
  std::stable_sort(steps.begin(), steps.end(),
                   [&](const raw_step& a, const raw_step& b) { return key(a) < key(b); });
  std::vector<path_share> shares;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || key(steps[i]) != key(steps[i - 1]))
      shares.push_back({steps[i].what, sites.name_of(steps[i].where)});
    shares.back().length += steps[i].length;
    ++shares.back().steps;
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const path_share& a, const path_share& b) { return a.length > b.length; });
  return shares;
}

// `steps`: the last first.
std::vector<path_span> in_order(const explanation& sites, const std::vector<raw_step>& steps) {
  const std::size_t group = (steps.size() + breakdown::most_steps - 1) / breakdown::most_steps;
  std::vector<path_span> ordered;
  for (std::size_t done = 0; done < steps.size(); done += group) {
    const auto first = steps.rbegin() + static_cast<std::ptrdiff_t>(done);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(group, steps.size() - done));
    const auto longest = std::max_element(
        first, last, [](const raw_step& a, const raw_step& b) { return a.length < b.length; });
    const fs_t end = (last - 1)->begin + (last - 1)->length;
    ordered.push_back(
        {longest->what, sites.name_of(longest->where), first->begin, end - first->begin});
  }
  return ordered;
}

}  // namespace

fs_t breakdown::total() const {
  return std::accumulate(parts.begin(), parts.end(), fs_t{0});
}

breakdown break_down(const explanation& sites, const cause& end, fs_t first_start, fs_t last_end) {
  breakdown result;
  std::vector<raw_step> steps;  // the last first
  fs_t until = last_end;
  for (step each = end.latest(); each && until > first_start; each = each.before()) {
    const fs_t before = each.before() ? each.before().when() : first_start;
    const fs_t begin = std::clamp(before, first_start, until);
    if (begin == until) continue;
    const category what = each.what();
    const site_id where = each.where();
    result.parts[static_cast<std::size_t>(what)] += until - begin;
    keep_if_long(result.longest, {what, sites.name_of(where), begin - first_start, until - begin});
    steps.push_back({what, where, begin - first_start, until - begin});
    until = begin;
  }
  result.steps = in_order(sites, steps);
  result.shares = shares_of(sites, std::move(steps));
  assert(result.total() == last_end - first_start);
  return result;
}

}  // namespace heddle
