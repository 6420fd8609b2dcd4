#include "transactors/monitors/request_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heddle {
namespace {

std::vector<bool> answers_by_kind() {
  std::vector<bool> answers(static_cast<std::size_t>(packet_kind_count()));
  for (int each = 0; each < packet_kind_count(); ++each) {
    const packet_kind_sheet& request = sheet_of(static_cast<packet_kind>(each));
    if (request.is_answered) answers[static_cast<std::size_t>(request.answer)] = true;
  }
  return answers;
}

}  // namespace

// All kinds are known before the first packet.
bool request_ledger::follows(packet_kind kind) {
  static const std::vector<bool> answers = answers_by_kind();
  const auto number = static_cast<std::size_t>(kind);
  return number < answers.size() && answers[number];
}

std::string request_ledger::request_leaves(const packet& request, std::string_view link) {
  const auto [known, is_new] =
      open_.try_emplace(id_of(request.source, request.destination, request.tag),
                        open_request{described_packet(request), link});
  if (is_new) return {};
  return "the tag is in use by a " + known->second.request.text();
}

std::string request_ledger::response_arrives(const packet& response) {
  const auto found = open_.find(id_of(response.destination, response.source, response.tag));
  if (found == open_.end()) return "answers no request";
  const described_packet asked = found->second.request;
  open_.erase(found);
  return response_to(asked.kind()) == response.kind ? "" : "answers a " + asked.text();
}

void request_ledger::report_lost(simulation& sim) const {
  constexpr std::size_t most_shown = 10;
  std::vector<request_id> lost;
  for (const auto& [id, request] : open_) lost.push_back(id);
  std::sort(lost.begin(), lost.end());
  lost.resize(std::min(lost.size(), most_shown));
  for (const request_id each : lost) {
    const open_request& shown = open_.at(each);
    report_violation(sim, std::string(shown.link), shown.request.text(), "never gets a response");
  }
  if (open_.size() > most_shown)
    report_violation(sim, "all links", fmt::format("{} more requests", open_.size() - most_shown),
                     "never get a response");
}

}  // namespace heddle
