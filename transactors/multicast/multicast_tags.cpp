#include "transactors/multicast/multicast_tags.hpp"

#include <fmt/format.h>

#include "platform/services/run_control.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

std::uint32_t multicast_tags::add(const unit& engine) {
  engines_.push_back(&engine);
  return static_cast<std::uint32_t>(engines_.size() - 1) << number_bits;
}

void multicast_tags::reject_stray(const unit& engine, const packet& answer, simulation& sim) const {
  const unit& asker = *engines_[answer.tag >> number_bits];
  const unit& member = *sim.service<fabric>().endpoint(answer.source).owner;
  sim.service<run_control>().reject(std::make_exception_ptr(user_error(fmt::format(
      "an answer of {} to {} comes to {}, which has the same addresses: there may be one such "
      "device on a path, and answers have to take the paths of their requests, as with "
      "`routing: {{spread: destination}}`",
      member.path(), asker.path(), engine.path()))));
}

}  // namespace heddle
