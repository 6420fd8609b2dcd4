// What is done when a run is over, however it has ended: units are not destroyed then, so what they
// keep for others goes out here.
#pragma once

#include <functional>
#include <vector>

namespace heddle {

// simulation::service<end_of_run>().
struct end_of_run {
  std::vector<std::function<void()>> actions;  // none throws
};

}  // namespace heddle
