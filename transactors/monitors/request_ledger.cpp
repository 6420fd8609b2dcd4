#include "transactors/monitors/request_ledger.hpp"

#include <fmt/format.h>

namespace heddle {

bool request_ledger::follows(packet_kind kind) {
  for (int each = 0; each < packet_kind_count(); ++each) {
    const packet_kind_sheet& request = sheet_of(static_cast<packet_kind>(each));
    if (request.is_answered && request.answer == kind) return true;
  }
  return false;
}

std::string request_ledger::request_leaves(const packet& request, std::string_view link) {
  const auto [known, is_new] = open_.try_emplace({request.source, request.destination, request.tag},
                                                 open_request{described_packet(request), link});
  if (is_new) return {};
  return "the tag is in use by a " + known->second.request.text();
}

std::string request_ledger::response_arrives(const packet& response) {
  const auto found = open_.find({response.destination, response.source, response.tag});
  if (found == open_.end()) return "answers no request";
  const described_packet asked = found->second.request;
  open_.erase(found);
  return response_to(asked.kind()) == response.kind ? "" : "answers a " + asked.text();
}

void request_ledger::report_lost(simulation& sim) const {
  constexpr std::size_t most_shown = 10;
  std::size_t shown = 0;
  for (const auto& [key, lost] : open_) {
    if (++shown > most_shown) break;
    report_violation(sim, std::string(lost.link), lost.request.text(), "never gets a response");
  }
  if (open_.size() > most_shown)
    report_violation(sim, "all links", fmt::format("{} more requests", open_.size() - most_shown),
                     "never get a response");
}

}  // namespace heddle
