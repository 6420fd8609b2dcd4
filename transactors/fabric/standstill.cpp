#include "transactors/fabric/standstill.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "transactors/fabric/channel_dependencies.hpp"

namespace heddle {
namespace {

// By its sender, as other messages name it.
using named_channel = std::pair<const packet_port*, int>;

class channel_numbers {
 public:
  channel_dependencies::channel of(const packet_port& sender, int vc) {
    const auto next = static_cast<channel_dependencies::channel>(channels_.size());
    const auto [found, is_new] = number_.emplace(named_channel{&sender, vc}, next);
    if (is_new) channels_.emplace_back(&sender, vc);
    return found->second;
  }
  channel_dependencies::channel count() const {
    return static_cast<channel_dependencies::channel>(channels_.size());
  }
  std::string name_of(channel_dependencies::channel number) const {
    return fmt::format("{} vc {}", channels_[number].first->path(), channels_[number].second);
  }
  std::string names_of(const std::vector<bool>& chosen) const {
    std::string names;
    for (channel_dependencies::channel each = 0; each < count(); ++each)
      if (chosen[each]) names += (names.empty() ? "" : ", ") + name_of(each);
    return names;
  }

 private:
  std::map<named_channel, channel_dependencies::channel> number_;
  std::vector<named_channel> channels_;
};

struct wait {
  channel_dependencies::channel held, wanted;
};

// A buffer drains when one of its packets can leave, or wants a buffer that drains. Buffers that no
// switch reports belong to endpoints, which always empty them.
std::vector<bool> draining(const std::vector<wait>& waits, const std::vector<bool>& can_leave,
                           const std::vector<bool>& is_kept) {
  std::vector<bool> drains(is_kept.size(), true);
  for (std::size_t i = 0; i < is_kept.size(); ++i) drains[i] = !is_kept[i];
  for (const wait& each : waits) drains[each.held] = false;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (drains[waits[i].held] || !(can_leave[i] || drains[waits[i].wanted])) continue;
      drains[waits[i].held] = true;
      is_new = true;
    }
  }
  return drains;
}

// What stages keep explains a standstill where other packets wait for it.
std::string describe_kept(const channel_numbers& numbers, const std::vector<bool>& is_kept,
                          const std::vector<bool>& drains) {
  std::vector<bool> waits(drains.size());
  for (std::size_t i = 0; i < drains.size(); ++i) waits[i] = !drains[i] && !is_kept[i];
  const std::string waiting = numbers.names_of(waits);
  if (waiting.empty()) return {};
  return fmt::format(
      "standstill: stages keep packets in the buffers behind these links: {}; for them wait the "
      "packets behind {}",
      numbers.names_of(is_kept), waiting);
}

}  // namespace

std::string describe_deadlock(const std::vector<const packet_forwarder*>& forwarders) {
  std::vector<waiting_packet> all;
  for (const packet_forwarder* each : forwarders) each->add_waiting(all);
  channel_numbers numbers;
  std::vector<wait> waits;
  std::vector<bool> can_leave;
  std::vector<channel_dependencies::channel> kept;
  for (const waiting_packet& each : all) {
    const channel_dependencies::channel held = numbers.of(*each.held->peer(), each.held_vc);
    if (!each.wanted) {
      kept.push_back(held);
      continue;
    }
    waits.push_back({held, numbers.of(*each.wanted, each.wanted_vc)});
    can_leave.push_back(each.has_credits);
  }
  std::vector<bool> is_kept(numbers.count());
  for (const channel_dependencies::channel each : kept) is_kept[each] = true;
  const std::vector<bool> drains = draining(waits, can_leave, is_kept);
  channel_dependencies stuck(numbers.count());
  for (const wait& each : waits)
    if (!drains[each.held]) stuck.add(each.held, each.wanted);
  const std::vector<channel_dependencies::channel> circle = stuck.find_circle();
  if (circle.empty()) return describe_kept(numbers, is_kept, drains);
  std::string text =
      "deadlock: packets fill the buffers behind these links, each waits for the next: ";
  for (const channel_dependencies::channel each : circle) text += numbers.name_of(each) + " -> ";
  return text + numbers.name_of(circle.front());
}

}  // namespace heddle
