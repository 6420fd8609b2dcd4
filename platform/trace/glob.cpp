#include "platform/trace/glob.hpp"

#include <algorithm>

#include "platform/text/diagnostic.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/index_set.hpp"

namespace heddle {
namespace {

// Only the last star needs to be widened after a mismatch: earlier ones have already matched as
// little as possible, so the search is at worst the product of both lengths.
class glob_walk {
 public:
  glob_walk(std::string_view pattern, std::string_view name) : pattern_(pattern), name_(name) {}

  bool matches() {
    while (n_ < name_.size())
      if (!step() && !widen_star()) return false;
    while (p_ < pattern_.size() && pattern_[p_] == '*') ++p_;
    return p_ == pattern_.size();
  }

  std::vector<std::size_t> take_positions() { return std::move(positions_); }

 private:
  bool step() {
    if (p_ == pattern_.size()) return false;
    if (pattern_[p_] == '*') {
      star_ = p_++;
      after_star_ = n_;
      positions_at_star_ = positions_.size();
      return true;
    }
    if (pattern_[p_] == '[')
      if (const auto set = index_set::at_front(pattern_.substr(p_))) return step_over(*set);
    if (pattern_[p_] != '?' && pattern_[p_] != name_[n_]) return false;
    ++p_;
    ++n_;
    return true;
  }

  bool step_over(const index_set& set) {
    const auto index = index_at_front(name_.substr(n_));
    const auto position = index ? set.position_of(index->value) : std::nullopt;
    if (!position) return false;
    positions_.push_back(*position);
    p_ += set.length();
    n_ += index->length;
    return true;
  }

  bool widen_star() {
    if (star_ == std::string_view::npos) return false;
    p_ = star_ + 1;
    n_ = ++after_star_;
    positions_.resize(positions_at_star_);
    return true;
  }

  std::string_view pattern_, name_;
  std::size_t p_ = 0, n_ = 0;
  std::size_t star_ = std::string_view::npos, after_star_ = 0;
  std::vector<std::size_t> positions_;
  std::size_t positions_at_star_ = 0;
};

struct ordered_name {
  std::vector<std::size_t> positions;
  std::size_t name;
};

}  // namespace

bool glob_match(std::string_view pattern, std::string_view name) {
  return glob_walk(pattern, name).matches();
}

std::optional<std::vector<std::size_t>> glob_positions(std::string_view pattern,
                                                       std::string_view name) {
  glob_walk walk(pattern, name);
  if (!walk.matches()) return std::nullopt;
  return walk.take_positions();
}

std::vector<std::size_t> select_in_order(const std::vector<std::string>& globs,
                                         const std::vector<std::string>& names) {
  std::vector<std::size_t> chosen;
  std::vector<bool> is_chosen(names.size(), false);
  for (const std::string& glob : globs) {
    std::vector<ordered_name> found;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (auto positions = glob_positions(glob, names[i]))
        found.push_back({std::move(*positions), i});
    if (found.empty())
      throw user_error("nothing matches '" + glob + "'" + did_you_mean(glob, names));
    std::stable_sort(found.begin(), found.end(), [](const ordered_name& a, const ordered_name& b) {
      return a.positions < b.positions;
    });
    for (const ordered_name& each : found) {
      if (is_chosen[each.name]) continue;
      is_chosen[each.name] = true;
      chosen.push_back(each.name);
    }
  }
  return chosen;
}

}  // namespace heddle
