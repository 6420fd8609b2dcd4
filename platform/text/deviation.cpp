#include "platform/text/deviation.hpp"

#include <fmt/format.h>

namespace heddle {

std::string deviation_text(double relative, int decimals) {
  const std::string zero = fmt::format("{:.{}f}", 0.0, decimals);
  const std::string text = fmt::format("{:+.{}f}", 100 * relative, decimals);
  return (text == "-" + zero ? "+" + zero : text) + " %";
}

}  // namespace heddle
