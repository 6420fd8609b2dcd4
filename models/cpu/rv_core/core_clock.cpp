#include "models/cpu/rv_core/core_clock.hpp"

namespace heddle {

void core_clock::synchronize() {
  count_instructions();
  const fs_t here = now();
  if (here > now_fs()) sc_core::wait(to_sc_time(here - now_fs()));
  resume();
  look_ahead();
}

}  // namespace heddle
