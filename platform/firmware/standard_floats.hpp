// How the processor computes floating point: how it rounds, and which exceptions trap. Firmware
// that runs natively may change that (fesetround(), feenableexcept()) and keeps what it has set;
// the simulator and the other cores, which run on the same processor, compute as the standard says.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace heddle {

// While it lives, numbers are rounded to the nearest and nothing traps.
class standard_floats {
 public:
  standard_floats() : was_changed_(is_changed()) {
    if (!was_changed_) return;
    std::fegetenv(&kept_);
    restore();
  }
  ~standard_floats() {
    if (was_changed_) std::fesetenv(&kept_);
  }
  standard_floats(const standard_floats&) = delete;
  standard_floats& operator=(const standard_floats&) = delete;

  // For good.
  static void restore() { std::fesetenv(FE_DFL_ENV); }

 private:
  // Every call of the HAL asks.
  static bool is_changed() {
#if defined(__x86_64__)
    // <cfenv> sets the x87's alike. Flags of exceptions say what has happened, not what is to.
    constexpr unsigned flags = _MM_EXCEPT_MASK, standard = _MM_MASK_MASK;
    return (_mm_getcsr() & ~flags) != standard;
#else
    return std::fegetround() != FE_TONEAREST || fegetexcept() != 0;
#endif
  }

  std::fenv_t kept_;  // if it was changed
  const bool was_changed_;
};

}  // namespace heddle
