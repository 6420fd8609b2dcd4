#include "platform/cli/claim_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

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

std::string rows_text(std::size_t rows) {
  return fmt::format("{} row{}", rows, rows == 1 ? "" : "s");
}

// How far ours may be from the source: on both sides, or on one where the source states a bound.
std::string tolerance_text(const json& row) {
  const std::string bound = row["bound"];
  const double percent = 100 * row["tolerance"].get<double>();
  if (bound == "at_least") return fmt::format(">= {:.1f} %", -percent);
  if (bound == "at_most") return fmt::format("<= {:.1f} %", percent);
  return fmt::format("{:.1f} %", percent);
}

}  // namespace

std::string row_name(const claim& of, const claim_case& one) {
  return one.name.empty() ? of.id : of.id + " " + one.name;
}

const std::string& reason_of(const claim& of, const claim_case& one) {
  return one.reason.empty() ? of.reason : one.reason;
}

claim_table::claim_table(const std::vector<claim>& claims) {
  std::size_t widest = 0;
  for (const claim& each : claims)
    for (const claim_case& one : each.cases) widest = std::max(widest, row_name(each, one).size());
  name_width_ = static_cast<int>(widest);
  std::printf("%-*s  %-9s %10s %10s %-7s %9s %9s  %s\n", name_width_, "claim", "kind", "source",
              "ours", "unit", "error", "within", "verdict");
}

void claim_table::add(const claim& of, std::size_t number, const json& row) {
  std::printf("%-*s  %-9s %10.5g %10.5g %-7s %+7.2f %% %9s  %s\n", name_width_,
              row["id"].get<std::string>().c_str(), row["kind"].get<std::string>().c_str(),
              row["source"].get<double>(), row["ours"].get<double>(),
              row["unit"].get<std::string>().c_str(), 100 * row["error"].get<double>(),
              tolerance_text(row).c_str(), row["verdict"].get<std::string>().c_str());
  const std::string& reason = reason_of(of, of.cases[number]);
  if (number == 0) off_for_.clear();
  ++rows_;
  if (row["verdict"] == "off") {
    ++off_;
    ++off_for_[reason];
  }
  const auto has_it = [&](const claim_case& other) { return reason_of(of, other) == reason; };
  const auto next = of.cases.begin() + static_cast<std::ptrdiff_t>(number) + 1;
  const bool is_last = std::none_of(next, of.cases.end(), has_it);
  const bool is_only = std::count_if(of.cases.begin(), of.cases.end(), has_it) == 1;
  if (is_last && off_for_[reason] > 0 && !reason.empty()) {
    const std::string which = is_only ? "" : rows_text(off_for_[reason]) + " off: ";
    std::fputs(wrapped(which + reason).c_str(), stdout);
  }
  std::fflush(stdout);
}

void claim_table::finish() const {
  std::printf("%s: %zu ok, %zu off\n", rows_text(rows_).c_str(), rows_ - off_, off_);
}

}  // namespace heddle
