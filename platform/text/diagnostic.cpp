#include "platform/text/diagnostic.hpp"

#include <fmt/format.h>

#include "platform/text/quote.hpp"

namespace heddle {
namespace {

// Netlists, file names and options are quoted as they were written, so that either part may hold
// control characters.
std::string with_place(const source_place& place, const std::string& message) {
  const std::string where = place.text();
  return control_escaped(where.empty() ? message : where + ": " + message);
}

}  // namespace

std::string source_place::text() const {
  if (line <= 0) return file;
  if (column <= 0) return fmt::format("{}:{}", file.str(), line);
  return fmt::format("{}:{}:{}", file.str(), line, column);
}

user_error::user_error(source_place place, const std::string& message)
    : std::runtime_error(with_place(place, message)), place_(place) {}

}  // namespace heddle
