// What cores say of a poll in vain that has lasted too long.
#pragma once

#include <string>

#include "platform/text/quantity.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

// The end of a sentence. Devices may work without traffic: then nothing but the limit is wrong.
inline std::string beyond_poll_limit(fs_t limit) {
  return "longer than poll_limit: " + format_duration(limit) +
         " (raise it where a device is only slow)";
}

}  // namespace heddle
