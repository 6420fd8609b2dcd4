// The machine timer of a RISC-V platform, as the `time` CSR of its cores shows it.
#pragma once

#include <cstdint>

#include "platform/time/fs_time.hpp"

namespace heddle {

class machine_timer {
 public:
  virtual fs_t tick() const = 0;
  virtual std::uint64_t mtime(fs_t at) const = 0;  // unless software writes it until then

 protected:
  ~machine_timer() = default;
};

}  // namespace heddle
