#include "models/cpu/rv_core/core_clock.hpp"

#include "platform/time/thread_wait.hpp"

namespace heddle {

void core_clock::synchronize() {
  count_instructions();
  const fs_t here = now();
  if (here > now_fs()) wait_until(here);
  resume();
  look_ahead();
}

}  // namespace heddle
