#include "platform/claims/claim_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

const char* name_of(claim::bound limit) {
  switch (limit) {
    case claim::bound::at_least:
      return "at_least";
    case claim::bound::at_most:
      return "at_most";
    default:
      return "";
  }
}

}  // namespace

double claim_row::error() const {
  return one->source != 0 ? (ours - one->source) / one->source : ours;
}

double claim_row::excess() const {
  const double far = error();
  const double above = far - of->tolerance, below = -far - of->tolerance;
  if (of->limit == claim::bound::at_least) return below;
  if (of->limit == claim::bound::at_most) return above;
  return std::max(above, below);
}

std::string claim_row::verdict() const {
  if (!one->aside.empty()) return one->aside;
  return is_ok() ? "ok" : "off";
}

std::size_t claim_verdict::counted() const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const claim_row& row) { return row.one->aside.empty(); }));
}

std::size_t claim_verdict::ok() const {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const claim_row& row) {
    return row.one->aside.empty() && row.is_ok();
  }));
}

std::string claim_verdict::text() const {
  if (rows.empty()) return "not built";
  if (counted() == 0) return rows.front().one->aside;
  if (ok() == counted()) return "ok";
  return ok() == 0 ? "off" : "partly";
}

const claim_row& claim_verdict::worst() const {
  const auto rank = [](const claim_row& row) {
    return std::pair(row.one->aside.empty(), row.excess());
  };
  return *std::max_element(rows.begin(), rows.end(), [&](const claim_row& a, const claim_row& b) {
    return rank(a) < rank(b);
  });
}

const std::string& reason_of(const claim& of, const claim_case& one) {
  return one.reason.empty() ? of.reason : one.reason;
}

std::string tolerance_text(const claim& of) {
  const double percent = 100 * of.tolerance;
  if (of.limit == claim::bound::at_least) return fmt::format(">= {:.1f} %", -percent);
  if (of.limit == claim::bound::at_most) return fmt::format("<= {:.1f} %", percent);
  return fmt::format("{:.1f} %", percent);
}

json json_of(const claim_row& row) {
  return {{"id", row.of->id},
          {"case", row.one->name},
          {"kind", row.of->kind},
          {"where", row.of->where},
          {"source", row.one->source},
          {"ours", row.ours},
          {"unit", row.of->unit},
          {"error", row.error()},
          {"tolerance", row.of->tolerance},
          {"bound", name_of(row.of->limit)},
          {"verdict", row.verdict()},
          {"reason", row.verdict() == "off" ? reason_of(*row.of, *row.one) : ""}};
}

json json_of_missing(const claim& of) {
  return {{"id", of.id},
          {"case", ""},
          {"kind", of.kind},
          {"where", of.where},
          {"verdict", "not built"},
          {"reason", of.not_built}};
}

}  // namespace heddle
