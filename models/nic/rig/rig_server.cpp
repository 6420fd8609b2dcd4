#include "models/nic/rig/rig_server.hpp"

#include <algorithm>
#include <utility>

#include "platform/time/fs_time.hpp"

namespace heddle {

void rig_server::take(const property_request& pr, fs_t when) {
  const std::uint32_t places = std::max(1U, hub_.limits.property_bytes / hub_.settings.length);
  if (reading_ < places && waiting_.empty())
    read(pr, when);
  else
    waiting_.push_back(pr);
}

void rig_server::read(const property_request& pr, fs_t when) {
  ++reading_;
  served_property property;
  property.pr = pr;
  if (!hub_.settings.is_own(pr.index)) {
    ++refused_;
    property.ready = when;
    return owner_.reads(number_, std::move(property));
  }
  const rig_settings& set = hub_.settings;
  if (hub_.carries_data()) property.bytes = payload_slice::allocate(set.length);
  property.ready =
      hub_.read_host(set.property_base + (pr.index - set.first_row()) * set.length,
                     property.bytes ? property.bytes.data() : nullptr, set.length, when);
  if (property.ready == fs_never) return owner_.read_failed(number_);
  owner_.reads(number_, std::move(property));
}

void rig_server::answer(served_property&& property) {
  if (!unsent_.empty() || !hub_.may_send(true)) {
    unsent_.push_back(std::move(property));
    return;
  }
  send(property, property.ready);
}

void rig_server::answer_waiting() {
  while (!unsent_.empty() && hub_.may_send(true)) {
    const served_property next = std::move(unsent_.front());
    unsent_.pop_front();
    send(next, std::max(next.ready, now_fs()));
  }
}

void rig_server::send(const served_property& property, fs_t when) {
  const bool is_own = hub_.settings.is_own(property.pr.index);
  if (is_own) ++served_;
  const fs_t accepted = hub_.send(true, property.pr.source_node, property.pr,
                                  property.bytes ? property.bytes.data() : nullptr,
                                  is_own ? hub_.settings.length : 0, when);
  --reading_;
  if (waiting_.empty()) return;
  const property_request next = waiting_.front();
  waiting_.pop_front();
  read(next, accepted);
}

}  // namespace heddle
