#include "platform/buffers/buffer_claim.hpp"

#include <fmt/format.h>

#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

const char* name_of(buffer_use use) {
  switch (use) {
    case buffer_use::descriptor:
      return "entry";
    case buffer_use::source:
      return "source";
    case buffer_use::destination:
      return "destination";
  }
  return "";
}

}  // namespace

std::string buffer_claim::text() const {
  const std::string owner = channel < 0 ? "its operation"
                                        : fmt::format("descriptor {} of channel {}",
                                                      static_cast<std::uint32_t>(work), channel);
  const std::string line = starter ? starter->line_at(started_at).text() : "";
  return fmt::format("{} of {}, since {}{}{}", name_of(use), owner, format_duration(since),
                     line.empty() ? "" : ", started at ", line);
}

}  // namespace heddle
