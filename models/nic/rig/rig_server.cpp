#include "models/nic/rig/rig_server.hpp"

#include <algorithm>

#include "platform/time/fs_time.hpp"

namespace heddle {

std::uint32_t rig_server::places() const {
  return std::max(1U, hub_.limits.property_bytes / std::max(1U, length_));
}

void rig_server::take(const property_request& pr, fs_t when) {
  if (reading_ == 0 && (length_ != hub_.settings.length || free_.empty())) {
    length_ = hub_.has_length() ? hub_.settings.length : 0;
    free_.clear();
    for (std::uint32_t place = places(); place-- > 0;) free_.push_back(place);
    buffer_.resize(hub_.carries_data() ? std::size_t{places()} * length_ : 0);
  }
  if (!free_.empty() && waiting_.empty())
    read(pr, when);
  else
    waiting_.push_back(pr);
}

void rig_server::read(const property_request& pr, fs_t when) {
  const rig_settings& set = hub_.settings;
  served_property property;
  property.pr = pr;
  property.place = free_.back();
  free_.pop_back();
  ++reading_;
  property.ready = when;
  property.is_here = length_ > 0 && set.is_own(pr.index);
  if (!property.is_here) return owner_.reads(number_, property);
  std::byte* const bytes =
      buffer_.empty() ? nullptr : &buffer_[std::size_t{property.place} * length_];
  const std::uint64_t address = set.property_base + (pr.index - set.first_row()) * length_;
  const fs_t ready = hub_.read_host(address, bytes, length_, when, 0);
  property.is_here = ready != fs_never;
  if (property.is_here)
    property.ready = ready;
  else
    owner_.read_failed(number_, pr.index, address);
  owner_.reads(number_, property);
}

void rig_server::answer(const served_property& property) {
  if (!unsent_.empty() || !hub_.may_send(true))
    unsent_.push_back(property);
  else
    send(property, property.ready);
}

void rig_server::answer_waiting() {
  while (!unsent_.empty() && hub_.may_send(true)) {
    const served_property next = unsent_.front();
    unsent_.pop_front();
    send(next, std::max(next.ready, now_fs()));
  }
}

void rig_server::send(const served_property& property, fs_t when) {
  const std::byte* const bytes = buffer_.empty() || !property.is_here
                                     ? nullptr
                                     : &buffer_[std::size_t{property.place} * length_];
  const fs_t accepted = hub_.send(true, property.pr.source_node, property.pr, bytes,
                                  property.is_here ? length_ : 0, when);
  free_.push_back(property.place);
  --reading_;
  if (waiting_.empty()) return;
  const property_request next = waiting_.front();
  waiting_.pop_front();
  read(next, accepted);
}

}  // namespace heddle
