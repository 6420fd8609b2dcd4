#include "platform/services/run_control.hpp"

#include <systemc>

namespace heddle {

void run_control::fail(const std::string& what) {
  failures_.push_back(what);
  stop();
}

void run_control::reject(std::exception_ptr error) {
  if (!rejection_) rejection_ = std::move(error);
  stop();
}

void run_control::core_finishes() {
  if (--running_ == 0 && holds_ == 0) stop();
}

void run_control::release() {
  if (--holds_ == 0 && running_ == 0) stop();
}

void run_control::stop() {
  const auto status = sc_core::sc_get_status();
  if (status == sc_core::SC_RUNNING || status == sc_core::SC_PAUSED) sc_core::sc_stop();
}

}  // namespace heddle
