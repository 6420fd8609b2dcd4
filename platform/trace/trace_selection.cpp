#include "platform/trace/trace_selection.hpp"

#include "platform/trace/glob.hpp"

namespace heddle {

namespace {

bool takes_away(std::string_view pattern) {
  return !pattern.empty() && pattern.front() == '!';
}

}  // namespace

bool pattern_concerns(std::string_view pattern, std::string_view name) {
  if (takes_away(pattern)) pattern.remove_prefix(1);
  return glob_match(pattern, name);
}

bool trace_selection::selects(std::string_view name) const {
  for (auto pattern = patterns.rbegin(); pattern != patterns.rend(); ++pattern) {
    if (pattern_concerns(*pattern, name)) return !takes_away(*pattern);
  }
  return false;
}

}  // namespace heddle
