#include "platform/cli/time_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/diagnostic.hpp"
#include "platform/text/quantity.hpp"
#include "platform/time/time_limits.hpp"

namespace heddle {
namespace {

// `given` is what the user wrote.
fs_t read_time(const std::string& text, const std::string& given) {
  try {
    return static_cast<fs_t>(parse_duration(text));
  } catch (const quantity_error& error) {
    throw user_error(given + ": " + error.what());
  }
}

}  // namespace

fs_t read_instant(const std::string& option, const std::string& text) {
  const std::string given = option + " " + text;
  const fs_t read = read_time(text, given);
  if (read <= end_of_time) return read;
  throw user_error(
      fmt::format("{}: simulated time ends after {}", given, format_duration(end_of_time)));
}

time_window read_window(const std::string& option, const std::string& text) {
  const std::string given = option + " " + text;
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos)
    throw user_error(given + ": expected FROM..TO such as \"10 us..20 us\"");
  const std::string first = text.substr(0, dots), last = text.substr(dots + 2);
  const fs_t from = first.empty() ? 0 : read_time(first, given);
  const fs_t to = last.empty() ? fs_never : read_time(last, given);
  if (from >= to) throw user_error(given + ": ends before it starts");
  return {from, to};
}

std::vector<time_window> read_windows(const std::string& option,
                                      const std::vector<std::string>& texts) {
  std::vector<time_window> windows;
  for (const std::string& each : texts) windows.push_back(read_window(option, each));
  std::sort(windows.begin(), windows.end());
  for (std::size_t i = 1; i < windows.size(); ++i)
    if (windows[i].first < windows[i - 1].second)
      throw user_error(fmt::format("{}: one window begins at {}, before another ends", option,
                                   format_duration(windows[i].first)));
  return windows;
}

}  // namespace heddle
