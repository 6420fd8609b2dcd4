#include "models/gpu/hub/layer_status.hpp"

#include <fmt/format.h>

#include <vector>

namespace heddle {

void layer_status::complete() {
  ++counters_.layers;
  registers_.status.state.set(state::IDLE);
  registers_.completed.add(1);
  events_.raise(completed_bit);
}

void layer_status::fail(error reason, std::uint32_t token, std::uint32_t expert) {
  fail(reason, token, expert, fmt::format("token {}, expert {}", token, expert));
}

void layer_status::fail(error reason, std::uint32_t token, std::uint32_t expert,
                        const std::string& what) {
  if (registers_.status.state.get() == state::ERROR) return;
  ++counters_.errors;
  is_running_ = false;
  registers_.status.error.set(reason);
  registers_.status.state.set(state::ERROR);
  registers_.error_token.set(token);
  registers_.error_expert.set(expert);
  const std::vector<std::string> names = token_hub_regs::status_error_names().names();
  registers_.report(registers_.start,
                    fmt::format("{}: {}", names[static_cast<std::size_t>(reason)], what));
  events_.raise(failed_bit);
}

}  // namespace heddle
