#include "models/cpu/posted_stores.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/contracts/register_audit.hpp"
#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

posted_stores::posted_stores(simulation& sim, const access_initiator& core, const bus_view& view)
    : sim_(sim), core_(core), view_(view) {
  extension_.issuer = this;
}

void posted_stores::posted_ends(std::uint64_t address, bool is_ok) {
  // Mostly the oldest. The far end may know the word by another address.
  const auto found = std::find_if(under_way_.begin(), under_way_.end(),
                                  [address](const store& each) { return each.address == address; });
  const bool is_known = found != under_way_.end();
  if (!is_ok) refuse(address, is_known ? found->point : code_point());
  under_way_.erase(is_known ? found : under_way_.begin());
  running_cause::join_into(why_);
  if (under_way_.empty()) all_done_.notify(sc_core::SC_ZERO_TIME);
}

void posted_stores::refuse(std::uint64_t address, const code_point& point) {
  const register_audit_log& audit = sim_.service<register_audit_log>();
  const std::string line = core_.line_at(point).text();
  sim_.service<run_control>().fail(fmt::format(
      "{}: bus error: posted write at {}: {}{}", core_.initiator_path(), view_.described(address),
      audit.count() > 0 ? audit.last().reason : "nobody performed it",
      line.empty() ? line : "\n  at " + line));
}

}  // namespace heddle
