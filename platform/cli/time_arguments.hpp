// Instants and windows of simulated time, as options of commands state them. All of it throws
// user_error, which names the option.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

using time_window = std::pair<fs_t, fs_t>;  // from, to

// Before the end of simulated time.
fs_t read_instant(const std::string& option, const std::string& text);
// "10 us..20 us"; either end may be missing.
time_window read_window(const std::string& option, const std::string& text);
// Sorted; they may not overlap.
std::vector<time_window> read_windows(const std::string& option,
                                      const std::vector<std::string>& texts);

}  // namespace heddle
