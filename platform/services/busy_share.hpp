// How busy a wire, a memory or an engine was in a window of time.
#pragma once

#include <string>

namespace heddle {

struct busy_share {
  std::string name;
  bool is_wire = false;
  double share = 0;  // of the window, 0..1
};

}  // namespace heddle
