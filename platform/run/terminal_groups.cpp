#include "platform/run/terminal_groups.hpp"

#include <cmath>
#include <regex>

namespace heddle {

std::string network_of(const std::string& unit) {
  static const std::regex index("\\[[0-9]+\\]");
  return std::regex_replace(unit, index, "[*]");
}

void traffic_exchange::add(std::size_t group, const traffic_source& terminal) {
  while (joined_.size() <= group) joined_.push_back(joined_.size());
  const traffic_source::place at = terminal.exchange_place();
  std::vector<std::size_t>& groups = group_of_[at.fabric];
  if (groups.size() <= at.number) groups.resize(at.number + std::size_t{1}, none);
  groups[at.number] = group;
}

void traffic_exchange::join(std::size_t group, const traffic_source& terminal) {
  const std::vector<std::size_t>& groups = group_of_.at(terminal.exchange_place().fabric);
  for (const std::uint16_t number : terminal.addressed()) {
    if (number >= groups.size() || groups[number] == none || groups[number] == group) continue;
    const std::size_t one = first_of(group), other = first_of(groups[number]);
    joined_[std::max(one, other)] = std::min(one, other);
  }
}

std::size_t traffic_exchange::first_of(std::size_t group) const {
  while (joined_[group] != group) group = joined_[group];
  return group;
}

double share_by_chance(double packets) {
  constexpr double deviations = 4, least = 0.02;
  return packets > 0 ? std::max(least, deviations / std::sqrt(packets)) : 1;
}

std::string why_nothing(const run_extent& run, fs_t window, std::uint64_t measured,
                        std::uint64_t arrived) {
  if (measured > 0) return {};
  if (window == 0) return "ended before the window";
  if (!run.is_cut) return "no packet was created in the window";
  return arrived > 0 ? "" : "no packet arrived in the window";
}

}  // namespace heddle
