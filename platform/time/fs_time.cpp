#include "platform/time/fs_time.hpp"

namespace heddle {

void set_kernel_resolution() {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
}

}  // namespace heddle
