#include "platform/run/credit_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/number/power_of_two.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

std::string help_for(const link_record& link) {
  const std::string product =
      "the " + format_bytes(link.covering_bytes) + " of bandwidth x round trip";
  if (link.buffer_bytes >= link.covering_bytes)
    return fmt::format(
        "; that is not less than {}, so a larger one only hides that {} passes packets on too "
        "slowly",
        product, link.to->path());
  // Buffers are given in powers of two.
  return fmt::format("; that is less than {}: `buffer: {}` would keep the wire busy", product,
                     format_bytes(power_of_two_from(link.covering_bytes)));
}

}  // namespace

std::string credit_advice(const breakdown& path, const link_directory& links) {
  constexpr fs_t least_part = 10;  // a tenth of the path: packets behind those that wait, queue
  const fs_t waited = path.of(category::credits);
  if (waited == 0 || waited < path.total() / least_part) return {};
  const auto longest =
      std::find_if(path.shares.begin(), path.shares.end(),
                   [](const path_share& each) { return each.what == category::credits; });
  const auto wire =
      std::find_if(links.links.begin(), links.links.end(),
                   [&](const link_record& each) { return each.name() == longest->where; });
  if (wire == links.links.end()) return {};
  return fmt::format(
      " Of the path, {:.1f} % waited for credits, of {} most: each virtual channel has {} of buffer"
      "{}.",
      100 * static_cast<double>(waited) / static_cast<double>(path.total()), longest->where,
      format_bytes(wire->buffer_bytes), help_for(*wire));
}

}  // namespace heddle
