// Standard output of commands. fmt::print throws where standard output is full, which a command
// reports as an internal error; stdio keeps the error until the command line looks for it.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace heddle {

// Writes each text at once. If standard output is full, something is left for the last flush, which
// finds that out.
template <class... Values>
void print_text(fmt::format_string<Values...> format, Values&&... values) {
  std::fputs(fmt::format(format, std::forward<Values>(values)...).c_str(), stdout);
}

}  // namespace heddle
