// What the core of a rank takes for the work of a collective, about.
#pragma once

#include <algorithm>

#include "models/cpu/native_core.hpp"

namespace heddle {

// Of the time that was measured with native cores on which a load takes 20 ns. The work of a core
// whose loads take less is shorter in proportion; a slower core needs the excess of a few loads
// more, measured with yaml/nvls_h100.yaml, where a load takes 150 ns.
inline double work_of(const rank_core& core, double measured_s, double loads = 3) {
  constexpr double measured_load_s = 20e-9;
  const auto* const native = dynamic_cast<const native_core*>(&core);
  if (!native) return measured_s;
  const double load_s = seconds(native->access_cost());
  const double slower_s = std::max(0.0, load_s - measured_load_s);
  return measured_s * std::min(1.0, load_s / measured_load_s) + loads * slower_s;
}

// Of the kernel, once.
inline double launch_of(const rank_core& core) {
  const auto* const native = dynamic_cast<const native_core*>(&core);
  return native ? seconds(native->launch_cost()) : 0;
}

}  // namespace heddle
