#include "platform/workload/job_board.hpp"

namespace heddle {

std::uint32_t job_board::next(std::uint32_t last) {
  while (is_open_ && posted_ == last) sc_core::wait(changed_);
  return is_open_ ? posted_ : no_job;
}

void job_board::post(std::uint32_t job) {
  posted_ = job;
  changed_.notify(sc_core::SC_ZERO_TIME);
}

void job_board::close() {
  is_open_ = false;
  changed_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace heddle
