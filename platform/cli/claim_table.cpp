#include "platform/cli/claim_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "platform/text/counted.hpp"
#include "platform/text/deviation.hpp"

namespace heddle {
namespace {

// Words in lines of at most so many characters, indented.
std::string wrapped(const std::string& text) {
  constexpr std::size_t longest = 96;
  constexpr const char* indent = "    ";
  std::istringstream words(text);
  std::string all, line = indent;
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > longest) {
      all += line + "\n";
      line = indent;
    }
    line += (line == indent ? "" : " ") + word;
  }
  return all + line + "\n";
}

// "3 ok, 1 off".
std::string tally(const std::map<std::string, std::size_t>& by_verdict) {
  std::string text;
  for (const char* verdict : {"ok", "partly", "off", "analytic", "reading", "not built"})
    if (const auto found = by_verdict.find(verdict); found != by_verdict.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, verdict);
  return text;
}

std::size_t total(const std::map<std::string, std::size_t>& by_verdict) {
  std::size_t sum = 0;
  for (const auto& [verdict, count] : by_verdict) sum += count;
  return sum;
}

std::string row_name(const claim_case& one) {
  return "  " + one.name;
}

// Each reason once, in the order of the rows, with the number of rows that it is for.
void print_reasons(const claim_verdict& verdict) {
  std::vector<std::pair<std::string, std::size_t>> reasons;
  for (const claim_row& row : verdict.rows) {
    if (row.verdict() != "off") continue;
    const std::string& reason = reason_of(*row.of, *row.one);
    auto found = std::find_if(reasons.begin(), reasons.end(),
                              [&](const auto& each) { return each.first == reason; });
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {reason, 0});
    ++found->second;
  }
  for (const auto& [reason, count] : reasons) {
    if (reason.empty()) continue;
    const bool is_only = verdict.rows.size() == 1;
    std::fputs(wrapped((is_only ? "" : counted(count, "row") + " off: ") + reason).c_str(), stdout);
  }
}

}  // namespace

claim_table::claim_table(const std::vector<claim>& claims, bool shows_rows)
    : shows_rows_(shows_rows) {
  std::size_t widest = 5;
  for (const claim& each : claims) {
    widest = std::max(widest, each.id.size());
    if (!shows_rows_) continue;
    for (const claim_case& one : each.cases) widest = std::max(widest, row_name(one).size());
  }
  name_width_ = static_cast<int>(widest);
  std::printf("%-*s  %-9s %7s %10s %10s %-7s %9s %9s  %s\n", name_width_, "claim", "kind",
              "rows ok", "source", "ours", "unit", "error", "within", "verdict");
}

void claim_table::print_row(const std::string& name, const std::string& rows, const claim_row& row,
                            const std::string& verdict) const {
  std::printf("%-*s  %-9s %7s %10.5g %10.5g %-7s %9s %9s  %s\n", name_width_, name.c_str(),
              row.of->kind.c_str(), rows.c_str(), row.one->source, row.ours, row.of->unit.c_str(),
              deviation_text(row.error(), 2).c_str(), tolerance_text(*row.of).c_str(),
              verdict.c_str());
}

void claim_table::add(const claim_verdict& verdict) {
  const std::string text = verdict.text();
  ++claims_[text];
  for (const claim_row& row : verdict.rows) ++rows_[row.verdict()];
  if (verdict.rows.empty()) {
    std::printf("%-*s  %-9s %7s %10s %10s %-7s %9s %9s  %s\n", name_width_, verdict.of->id.c_str(),
                verdict.of->kind.c_str(), "-", "-", "-", "", "", "", "not built");
  } else {
    const std::string rows = fmt::format("{}/{}", verdict.ok(), verdict.counted());
    print_row(verdict.of->id, rows, verdict.worst(), text);
    if (shows_rows_ && verdict.rows.size() > 1)
      for (const claim_row& row : verdict.rows)
        print_row(row_name(*row.one), "", row, row.verdict());
    print_reasons(verdict);
  }
  std::fflush(stdout);
}

void claim_table::finish() const {
  std::printf("%s: %s", counted(total(claims_), "claim").c_str(), tally(claims_).c_str());
  if (!rows_.empty())
    std::printf("; %s: %s", counted(total(rows_), "row").c_str(), tally(rows_).c_str());
  std::printf("\n");
}

}  // namespace heddle
