// Which signals are traced.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct trace_selection {
  // Globs over "path.leaf". A leading '!' takes signals away again; the last match decides.
  std::vector<std::string> patterns = {"*"};

  bool selects(std::string_view name) const;
};

// Whether the pattern, without its '!', matches the name.
bool pattern_concerns(std::string_view pattern, std::string_view name);

}  // namespace heddle
