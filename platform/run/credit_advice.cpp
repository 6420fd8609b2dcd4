#include "platform/run/credit_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// Bytes that are under way, or whose credits are, while the wire is never idle.
double needed_bytes(const link_record& link) {
  return static_cast<double>(link.bytes_per_second) * 2 * seconds(link.latency);
}

// Buffers are given in powers of two.
std::uint64_t buffer_above(double bytes) {
  std::uint64_t size = 1;
  while (static_cast<double>(size) < bytes) size *= 2;
  return size;
}

std::string help_for(const link_record& link) {
  const double needed = needed_bytes(link);
  const link_figures sent = link.figures();
  const double packet = static_cast<double>(sent.bytes) /
                        static_cast<double>(std::max<std::uint64_t>(1, sent.packets));
  const std::string product = fmt::format("bandwidth x round trip = {:.4g} KB", 1e-3 * needed);
  if (static_cast<double>(link.buffer_bytes) >= needed + packet)
    return fmt::format(
        "; that is not less than {}, so a larger one only hides that {} passes packets on too "
        "slowly",
        product, link.to->path());
  return fmt::format("; that is less than {}: `buffer: {}` would keep the wire busy", product,
                     format_bytes(buffer_above(needed + packet)));
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
