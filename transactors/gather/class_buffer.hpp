// Buffers that the message classes of a gather, requests and responses, share half and half.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "platform/text/diagnostic.hpp"

namespace heddle {

inline constexpr int gather_classes = 2;

// Throws user_error, in the name of the unit at `path`, where a class has no room for a packet.
inline void check_class_buffer(const std::string& path, const std::string& buffer,
                               std::uint64_t bytes, std::uint64_t mtu) {
  const std::uint64_t least = gather_classes * mtu;
  if (bytes >= least) return;
  throw user_error(fmt::format(
      "{}: a {} of {} B holds no packet of {} B of each message class: {} B are the least", path,
      buffer, bytes, mtu, least));
}

}  // namespace heddle
