#include "platform/run/utilization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "platform/explain/remedy.hpp"
#include "platform/poll/poll_ledger.hpp"
#include "platform/run/credit_advice.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/text/natural_order.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

namespace {

// What a reader can act upon, by the kind of the part.
std::string name_of_bottleneck(category what) {
  switch (what) {
    case category::serialization:
      return "Bytes on one wire after another are";
    case category::credits:
      return "Buffers behind a wire are";
    case category::queueing:
    case category::memory:
    case category::wave_slot:
    case category::reduction:
    case category::compute: {
      std::string name = text_of(what);
      name[0] = static_cast<char>(std::toupper(name[0]));
      return name + " is";
    }
    default:
      return "Latency is";
  }
}

double percent_of(const breakdown& path, category what) {
  return 100 * static_cast<double>(path.of(what)) /
         static_cast<double>(std::max<fs_t>(1, path.total()));
}

category largest_of(const breakdown& path) {
  const auto* const largest = std::max_element(path.parts.begin(), path.parts.end());
  return static_cast<category>(largest - path.parts.begin());
}

// `is_starved`: waiting for credits is worth advice.
std::string largest_part(const breakdown& path, bool is_starved) {
  const category what = largest_of(path);
  if (is_starved && what == category::queueing)  // behind packets that wait for credits
    return fmt::format(
        "{} the bottleneck: {:.1f} % of the critical path waits for credits, and {:.1f} % queues "
        "behind other packets; ",
        name_of_bottleneck(category::credits), percent_of(path, category::credits),
        percent_of(path, what));
  return fmt::format("{} the bottleneck: {} is {:.1f} % of the critical path; ",
                     name_of_bottleneck(what), text_of(what), percent_of(path, what));
}

}  // namespace

fs_t utilization_window::meter::so_far() const {
  return wire ? wire->figures().busy : busy->raw();
}

// A unit with one resource stands for it.
std::string utilization_window::meter::name() const {
  if (wire) return wire->name();
  return busy->name() == "busy" ? owner->path() : owner->path() + "." + busy->name();
}

void utilization_window::find_meters() {
  if (!meters_.empty()) return;
  for (const link_record& each : sim_.service<link_directory>().links)
    meters_.push_back({&each, nullptr, nullptr, 0});
  for (const unit* each : sim_.units()) {
    if (!each->statistics()) continue;
    for (const statistic* one : each->statistics()->all())
      if (one->what() == quantity::busy) meters_.push_back({nullptr, each, one, 0});
  }
}

void utilization_window::open() {
  find_meters();
  sim_.service<sleeping_polls>().count();
  for (meter& each : meters_) each.at_open = each.so_far();
}

std::vector<busy_share> utilization_window::close(fs_t length) {
  std::vector<busy_share> shares;
  if (length == 0) return shares;
  find_meters();
  sim_.service<sleeping_polls>().count();
  for (const meter& each : meters_) {
    const auto busy = static_cast<double>(each.so_far() - each.at_open);
    // A transfer of a memory or an engine counts as a whole in the window in which it begins, so
    // the sum may exceed the window.
    shares.push_back(
        {each.name(), each.wire != nullptr, std::min(1.0, busy / static_cast<double>(length))});
  }
  std::sort(shares.begin(), shares.end(), [](const busy_share& a, const busy_share& b) {
    return a.share != b.share ? a.share > b.share : is_naturally_before(a.name, b.name);
  });
  return shares;
}

std::string busiest_sentence(const std::vector<busy_share>& shares) {
  if (shares.empty() || shares.front().share == 0) return "Nothing was busy.";
  return fmt::format("{} worked most: {:.1f} % of the time.", shares.front().name,
                     100 * shares.front().share);
}

std::string bottleneck_sentence(const std::vector<busy_share>& shares, double of_ceiling,
                                const breakdown* path, const link_directory& links,
                                const std::string& remedy) {
  constexpr double full = 0.85;
  if (shares.empty() || shares.front().share == 0) return "Nothing was busy.";
  const busy_share& top = shares.front();
  const auto percent = 100 * top.share;
  if (top.share >= full && top.is_wire)
    return fmt::format("The wires are the bottleneck: {} carried bytes {:.1f} % of the time.",
                       top.name, percent);
  if (top.share >= full)
    return fmt::format("{} is the bottleneck: it was busy {:.1f} % of the time.", top.name,
                       percent);
  const std::string advice = path ? credit_advice(*path, links) : "";
  std::string text = fmt::format(
      "{}the busiest part, {}, worked only {:.1f} % of the time",
      path ? largest_part(*path, !advice.empty()) : "No critical path says what took the time: ",
      top.name, percent);
  if (of_ceiling > 0)
    text += fmt::format(", and the collective reached {:.1f} % of what the wires allow",
                        100 * of_ceiling);
  return text + "." + advice + (remedy.empty() ? "" : " ") + remedy;
}

std::string remedy_for(const breakdown& path, const simulation& sim) {
  const category what = largest_of(path);
  const auto most = std::find_if(path.shares.begin(), path.shares.end(),
                                 [=](const path_share& each) { return each.what == what; });
  if (most == path.shares.end()) return {};
  const auto* const asked = dynamic_cast<const has_remedy*>(sim.find_unit(most->where));
  return asked ? asked->remedy(what) : "";
}

}  // namespace heddle
