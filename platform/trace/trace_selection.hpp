// Which signals are traced, and when.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

struct trace_selection {
  // Globs over "path.leaf". A leading '!' takes signals away again; the last match decides.
  std::vector<std::string> patterns = {"*"};

  // The window [from, to). With from = fs_never only trace_stream::open_window() opens one.
  fs_t from = 0;
  fs_t to = fs_never;

  bool selects(std::string_view name) const;
};

// Whether the pattern, without its '!', matches the name.
bool pattern_concerns(std::string_view pattern, std::string_view name);

}  // namespace heddle
