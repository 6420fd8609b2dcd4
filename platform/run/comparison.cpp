#include "platform/run/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/deviation.hpp"
#include "platform/text/format_seconds.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

using result_list = std::vector<const workload_result*>;

// The last of them of each name, in the order in which they ran.
template <class Condition, class Name>
result_list last_of_each(const std::vector<workload_result>& results, Condition counts,
                         Name name_of) {
  result_list last;
  for (const workload_result& each : results) {
    if (!counts(each)) continue;
    const auto known = std::find_if(last.begin(), last.end(), [&](const workload_result* other) {
      return name_of(*other) == name_of(each);
    });
    if (known == last.end())
      last.push_back(&each);
    else
      *known = &each;
  }
  return last;
}

// The last of these results of each algorithm.
template <class Condition>
result_list last_of_each(const std::vector<workload_result>& results, Condition counts) {
  return last_of_each(results, counts, [](const workload_result& each) { return each.label(); });
}

// Of each algorithm that was asked for.
result_list columns_of(const std::vector<workload_result>& results) {
  return last_of_each(
      results, [](const workload_result&) { return true; },
      [](const workload_result& each) { return each.column(); });
}

result_list explained(const std::vector<workload_result>& results) {
  return last_of_each(results, [](const workload_result& each) { return each.path.has_value(); });
}

double share_of(const workload_result& result, category what) {
  const fs_t total = result.time();
  return total == 0 ? 0 : static_cast<double>(result.path->of(what)) / static_cast<double>(total);
}

// The categories that took time, the largest share first.
std::vector<category> rows_of(const result_list& results) {
  const auto largest = [&](category what) {
    double share = 0;
    for (const workload_result* each : results) share = std::max(share, share_of(*each, what));
    return share;
  };
  std::vector<category> rows;
  for (std::size_t i = 0; i < category_count; ++i)
    if (largest(static_cast<category>(i)) > 0) rows.push_back(static_cast<category>(i));
  std::stable_sort(rows.begin(), rows.end(),
                   [&](category a, category b) { return largest(a) > largest(b); });
  return rows;
}

std::string cell(fs_t time, double share) {
  return time == 0 ? "-" : fmt::format("{}  {:5.1f} %", format_duration(time), 100 * share);
}

// Width of a column below that heading, whose figures need `least` characters.
std::size_t width_below(const std::string& heading, std::size_t least) {
  return std::max(least, heading.size() + 2);
}

std::string energy_cell(const energy_share& share) {
  if (share.count == 0) return "-";
  const std::string count =
      share.what == quantity::bytes ? format_bytes(share.count) : format_count(share.count);
  return fmt::format("{}{:>12}", count, format_energy(share.joules));
}

// "-" where one of them takes no time, as a collective of one rank does.
std::string factor_of(fs_t first, fs_t other) {
  return first == 0 || other == 0 ? "-" : fmt::format("{:.2f} x", seconds(first) / seconds(other));
}

// The last result of that size in the same column; nullptr: there is none.
const workload_result* last_of(const std::vector<workload_result>& results,
                               const workload_result& column, std::uint64_t bytes) {
  const workload_result* found = nullptr;
  for (const workload_result& each : results)
    if (each.column() == column.column() && each.bytes == bytes) found = &each;
  return found;
}

// The first column has times alone, the others have factors, too.
std::size_t speed_up_width(const result_list& algorithms, std::size_t column) {
  return width_below(algorithms[column]->column(), column == 0 ? 12 : 21);
}

std::string speed_up_heading(const result_list& algorithms) {
  const workload_result& base = *algorithms.front();
  std::string text = fmt::format("factors against {}:\n{:>10}", base.column(), base.size_heading);
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    text += fmt::format("{:>{}}", algorithms[i]->column(), speed_up_width(algorithms, i));
  return text + "\n";
}

}  // namespace

std::string size_of(const workload_result& result) {
  return result.size.empty() ? "-" : result.size;
}

std::string behind_name(const workload_result& result) {
  return result.size_phrase.empty() ? "" : ", " + result.size_phrase;
}

std::string law_line(const std::vector<workload_result>& results) {
  std::string text;
  for (const workload_result* each :
       last_of_each(results, [](const workload_result& one) { return one.law > 0; }))
    text += fmt::format(
        "{} {}{} takes {} (here {})", text.empty() ? "by the source's formulas:" : ",",
        each->label(), (each->size_phrase.empty() ? "" : " " + each->size_phrase),
        format_seconds(each->law), deviation_text(seconds(each->time()) / each->law - 1, 1));
  return text.empty() ? text : text + "\n";
}

std::string breakdown_table(const std::vector<workload_result>& results) {
  const result_list shown = explained(results);
  if (shown.empty()) return {};
  const std::uint64_t bytes = shown.back()->bytes;
  const bool is_one_size =
      std::all_of(shown.begin(), shown.end(),
                  [&](const workload_result* each) { return each->bytes == bytes; });
  std::string text =
      fmt::format("critical path of the {}{}:\n{:>17}", shown.back()->name,
                  is_one_size ? behind_name(*shown.back()) : ", last size of each algorithm", "");
  const auto heading = [&](const workload_result* of) {
    return is_one_size ? of->label() : of->label() + " " + size_of(*of);
  };
  const auto put = [&](const workload_result* of, const std::string& words) {
    text += fmt::format("{:>{}}", words, width_below(heading(of), 21));
  };
  for (const workload_result* each : shown) put(each, heading(each));
  text += "\n";
  for (const category what : rows_of(shown)) {
    text += fmt::format("{:>17}", text_of(what));
    for (const workload_result* each : shown)
      put(each, cell(each->path->of(what), share_of(*each, what)));
    text += "\n";
  }
  text += fmt::format("{:>17}", "total");
  for (const workload_result* each : shown) put(each, cell(each->path->total(), 1));
  return text + "\n";
}

std::string speed_up_table(const std::vector<workload_result>& results) {
  const result_list algorithms = columns_of(results);
  if (algorithms.size() < 2) return {};
  std::string text = speed_up_heading(algorithms);
  std::uint64_t last_bytes = 0;
  bool compares = false;
  for (const workload_result& each : results) {
    const workload_result* first = last_of(results, *algorithms.front(), each.bytes);
    if (!first || each.bytes == last_bytes) continue;
    last_bytes = each.bytes;
    text += fmt::format("{:>10}{:>{}}", size_of(each), format_duration(first->time()),
                        speed_up_width(algorithms, 0));
    for (std::size_t i = 1; i < algorithms.size(); ++i) {
      const workload_result* other = last_of(results, *algorithms[i], each.bytes);
      compares |= other != nullptr;
      const std::string words = other ? fmt::format("{}{:>9}", format_duration(other->time()),
                                                    factor_of(first->time(), other->time()))
                                      : "-";
      text += fmt::format("{:>{}}", words, speed_up_width(algorithms, i));
    }
    text += "\n";
  }
  return compares ? text : "";
}

std::string energy_table(const std::vector<workload_result>& results) {
  const result_list shown =
      last_of_each(results, [](const workload_result& each) { return !each.energy.empty(); });
  if (shown.empty()) return {};
  const auto below = [](const workload_result* of, const std::string& words) {
    return fmt::format("{:>{}}", words, width_below(of->label(), 24));
  };
  std::string rows;
  for (std::size_t i = 0; i < shown.front()->energy.size(); ++i) {
    const bool is_done = std::any_of(shown.begin(), shown.end(), [i](const workload_result* each) {
      return each->energy[i].count > 0;
    });
    if (!is_done) continue;
    std::string primitive = shown.front()->energy[i].primitive;
    std::replace(primitive.begin(), primitive.end(), '_', ' ');
    rows += fmt::format("{:>17}", primitive);
    for (const workload_result* each : shown) rows += below(each, energy_cell(each->energy[i]));
    rows += "\n";
  }
  if (rows.empty()) return {};
  std::string text = fmt::format("energy of the {}:\n{:>17}", shown.back()->name, "");
  for (const workload_result* each : shown) text += below(each, each->label());
  text += "\n" + rows + fmt::format("{:>17}", "total");
  for (const workload_result* each : shown)
    text += below(each, format_energy(total_joules(each->energy)));
  return text + "\n";
}

std::string longest_spans(const std::vector<workload_result>& results) {
  std::string text;
  for (const workload_result* each : explained(results)) {
    text += fmt::format("longest steps of the {} {}{}:\n", each->label(), each->name,
                        behind_name(*each));
    for (const path_span& span : each->path->longest)
      text += fmt::format("{:>12} after {:>10}  {} : {}\n", format_duration(span.length),
                          format_duration(span.begin), span.where, text_of(span.what));
  }
  return text;
}

}  // namespace heddle
