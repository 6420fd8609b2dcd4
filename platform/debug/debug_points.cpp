#include "platform/debug/debug_points.hpp"

#include <algorithm>

namespace heddle {
namespace {

bool is_same(const debug_watch& a, const debug_watch& b) {
  return a.address == b.address && a.bytes == b.bytes && a.loads == b.loads && a.stores == b.stores;
}

template <class T>
void erase_removed(std::vector<T>& points) {
  points.erase(
      std::remove_if(points.begin(), points.end(), [](const T& each) { return each.is_removed; }),
      points.end());
}

}  // namespace

void debug_points::insert_breakpoint(std::uint64_t address) {
  for (breakpoint& each : breakpoints_)
    if (each.address == address) {
      each.is_removed = false;
      return;
    }
  breakpoints_.push_back({address, false});
}

void debug_points::remove_breakpoint(std::uint64_t address) {
  for (breakpoint& each : breakpoints_)
    if (each.address == address) each.is_removed = true;
}

void debug_points::insert_watch(const debug_watch& watch) {
  for (watchpoint& each : watches_)
    if (is_same(each.what, watch)) {
      each.is_removed = false;
      return;
    }
  watches_.push_back({watch, false});
}

void debug_points::remove_watch(const debug_watch& watch) {
  for (watchpoint& each : watches_)
    if (is_same(each.what, watch)) each.is_removed = true;
}

void debug_points::apply(bool all_run) {
  if (all_run) {
    erase_removed(breakpoints_);
    erase_removed(watches_);
  }
  std::vector<std::uint64_t> addresses;
  for (const breakpoint& each : breakpoints_) addresses.push_back(each.address);
  std::vector<debug_watch> watched;
  for (const watchpoint& each : watches_) watched.push_back(each.what);
  for (debug_target* each : targets_) {
    each->set_breakpoints(addresses);
    each->set_watches(watched);
  }
}

bool debug_points::holds(const debug_stop& stop) const {
  if (stop.why == debug_stop::reason::breakpoint)
    return std::any_of(breakpoints_.begin(), breakpoints_.end(), [&](const breakpoint& each) {
      return each.address == stop.address && !each.is_removed;
    });
  if (stop.why == debug_stop::reason::watch)
    return std::any_of(watches_.begin(), watches_.end(), [&](const watchpoint& each) {
      return is_same(each.what, stop.watch) && !each.is_removed;
    });
  return true;
}

void debug_points::remove_all() {
  breakpoints_.clear();
  watches_.clear();
  apply(true);
}

}  // namespace heddle
