#include "platform/cli/chosen_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platform/text/diagnostic.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"

namespace heddle {
namespace {

// " (they begin with nvls, scin)".
std::string beginnings(const std::vector<std::string>& names) {
  std::set<std::string> first;
  for (const std::string& each : names) first.insert(each.substr(0, each.find('.')));
  return fmt::format(" (they begin with {})", fmt::join(first, ", "));
}

}  // namespace

bool matches_any(const std::vector<std::string>& globs, const std::string& name) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_match(glob, name); });
}

void require_matches(const std::string& kind, const std::vector<std::string>& globs,
                     const std::vector<std::string>& names) {
  for (const std::string& glob : globs) {
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return glob_match(glob, name); }))
      continue;
    const std::string near = did_you_mean(glob, names);
    throw user_error("no " + kind + " matches '" + glob + "'" +
                     (near.empty() ? beginnings(names) : near));
  }
}

}  // namespace heddle
