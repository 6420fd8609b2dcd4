#include "platform/workload/job_board.hpp"

namespace heddle {

std::uint32_t job_board::next(const rank_core& core, std::uint32_t last) {
  const std::uint32_t& posted = is_setup(core) ? posted_to_setup_ : posted_;
  ++idle_;
  idles_.notify(sc_core::SC_ZERO_TIME);
  while (is_open_ && posted == last) sc_core::wait(changed_);
  --idle_;
  return is_open_ ? posted : no_job;
}

void job_board::await_idle(std::size_t cores) {
  while (idle_ < cores) sc_core::wait(idles_);
}

void job_board::post_to_setup(std::uint32_t job) {
  posted_to_setup_ = job;
  changed_.notify(sc_core::SC_ZERO_TIME);
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
