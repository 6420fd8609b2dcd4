#include "platform/claims/claim_ledger.hpp"

#include <fmt/format.h>

#include "platform/text/deviation.hpp"

namespace heddle {
namespace {

std::string percent(double relative) {
  return deviation_text(relative, 2);
}

std::string figure(double value, const std::string& unit) {
  return fmt::format("{:.5g} {}", value, unit);
}

text_document::cells overview_of(const claim_verdict& verdict) {
  const claim& of = *verdict.of;
  if (verdict.rows.empty()) return {of.id, of.kind, of.where, "", "", "", "not built"};
  const claim_row& worst = verdict.worst();
  return {of.id,
          of.kind,
          of.where,
          figure(worst.one->source, of.unit),
          figure(worst.ours, of.unit),
          percent(worst.error()),
          fmt::format("{}, {} of {} rows", verdict.text(), verdict.ok(), verdict.counted())};
}

void add_rows(text_document& page, const claim_verdict& verdict) {
  std::vector<text_document::cells> rows;
  for (const claim_row& row : verdict.rows)
    rows.push_back({row.one->name, figure(row.one->source, row.of->unit),
                    figure(row.ours, row.of->unit), percent(row.error()), row.verdict(),
                    row.verdict() == "off" ? reason_of(*row.of, *row.one) : ""});
  page.table({"case", "source", "ours", "error", "verdict", "reason"}, rows);
}

void add_sensitivities(text_document& page, const std::vector<parameter_sensitivity>& all) {
  if (all.empty()) return;
  std::vector<text_document::cells> rows;
  for (const parameter_sensitivity& each : all)
    rows.push_back({each.key, each.value, each.from,
                    each.lower.empty() ? "" : percent(each.at_lower),
                    each.upper.empty() ? "" : percent(each.at_upper), each.row});
  page.table({"free parameter", "value", "from", "ours at -20 %", "ours at +20 %", "row"}, rows);
}

void add_claim(text_document& page, const ledger_entry& entry) {
  const claim& of = *entry.verdict.of;
  page.heading(3, of.id + ": " + entry.verdict.text());
  if (entry.verdict.rows.empty()) {
    page.paragraph(fmt::format("{}, {}. Not built: {}.", of.where, of.kind, of.not_built));
    return;
  }
  page.paragraph(fmt::format("{}, {}, within {}.{}{}", of.where, of.kind, tolerance_text(of),
                             of.mechanism.empty() ? "" : " ", of.mechanism));
  page.code(command_of(first_run_of(of.cases.front())));
  add_rows(page, entry.verdict);
  add_sensitivities(page, entry.sensitivities);
}

}  // namespace

text_document ledger_of(const std::vector<ledger_entry>& entries) {
  text_document page;
  page.heading(1, "Claims of the literature, and ours");
  page.paragraph(
      "Of a claim with several rows the one that is farthest from its source stands in the "
      "overview. A free parameter is what the source leaves open; it has one value for all claims, "
      "and the change of ours when it alone is a fifth lower or higher stands beside it.");
  std::vector<text_document::cells> overview;
  for (const ledger_entry& each : entries) overview.push_back(overview_of(each.verdict));
  page.table({"claim", "kind", "where", "source", "ours", "error", "verdict"}, overview);
  for (const ledger_entry& each : entries) add_claim(page, each);
  return page;
}

}  // namespace heddle
