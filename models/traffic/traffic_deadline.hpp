// Ends a run whose traffic is not drained, when the last of its terminals has come to the end of
// its time.
//
// One per run: simulation::service<traffic_deadline>().
#pragma once

#include <algorithm>

#include "platform/services/run_control.hpp"
#include "platform/time/agenda.hpp"

namespace heddle {

class traffic_deadline {
 public:
  traffic_deadline() : end_(timed_call::to<traffic_deadline, &traffic_deadline::end>(*this)) {}

  void not_before(fs_t when, run_control& run) {
    run_ = &run;
    latest_ = std::max(latest_, when);
    end_.at(latest_);
  }

 private:
  void end() { run_->stop(); }

  timed_call end_;
  run_control* run_ = nullptr;
  fs_t latest_ = 0;
};

}  // namespace heddle
