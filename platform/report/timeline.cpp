#include "platform/report/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

using ordered = nlohmann::ordered_json;

constexpr std::size_t most_kept = 8192;       // of a signal while the simulation runs
constexpr std::size_t most_written = 2000;    // of a signal
constexpr std::size_t most_in_all = 100'000;  // about 2 MB of JSON
constexpr std::size_t least_written = 8;
constexpr std::size_t most_tracks = 4000;  // those that changed most often

timeline_entry joined(const timeline_entry& a, const timeline_entry& b, bool is_named) {
  const bool is_first = is_named ? a.area >= b.area : a.bits >= b.bits;
  return {a.begin, b.end, is_first ? a.bits : b.bits, a.area + b.area};
}

void end_at(std::vector<timeline_entry>& entries, fs_t end) {
  while (!entries.empty() && entries.back().begin >= end) entries.pop_back();
  if (entries.empty() || entries.back().end <= end) return;
  timeline_entry& last = entries.back();
  last.area *= static_cast<double>(end - last.begin) / static_cast<double>(last.end - last.begin);
  last.end = end;
}

// Whole picoseconds, rounded from the start of the run: no error adds up.
std::int64_t picoseconds(fs_t time) {
  return static_cast<std::int64_t>((time + fs_per_ps / 2) / fs_per_ps);
}

// Texts are numbered in the order of their first use here.
class name_table {
 public:
  name_table(const trace_declaration& signal, const trace_catalog& catalog)
      : signal_(signal), catalog_(catalog) {}

  std::size_t number_of(std::uint64_t bits) {
    const auto [known, is_new] = numbers_.emplace(bits, names_.size());
    if (is_new) names_.push_back(value_name(signal_, catalog_, bits));
    return known->second;
  }
  const ordered& names() const { return names_; }

 private:
  const trace_declaration& signal_;
  const trace_catalog& catalog_;
  std::map<std::uint64_t, std::size_t> numbers_;
  ordered names_ = ordered::array();
};

double rounded(double value) {
  constexpr double digits = 1000;
  return std::round(value * digits) / digits;
}

ordered track_json(const trace_declaration& signal, const trace_catalog& catalog,
                   const std::vector<timeline_entry>& entries) {
  name_table names(signal, catalog);
  ordered numbers = ordered::array();
  std::int64_t last = 0;
  for (const timeline_entry& each : entries) {
    const std::int64_t begin = picoseconds(each.begin), end = picoseconds(each.end);
    numbers.push_back(begin - last);
    numbers.push_back(end - begin);
    if (signal.has_names())
      numbers.push_back(names.number_of(each.bits));
    else
      numbers.push_back(level_of(signal, catalog, each.bits));
    numbers.push_back(rounded(each.area / static_cast<double>(each.end - each.begin)));
    last = end;
  }
  ordered track = {{"unit", signal.path}, {"signal", signal.leaf}};
  track["kind"] = signal.has_names() ? "state" : "number";
  if (signal.has_names()) track["names"] = names.names();
  track["entries"] = numbers;
  return track;
}

}  // namespace

void coarsen(std::vector<timeline_entry>& entries, std::size_t most, bool is_named) {
  if (entries.size() <= most) return;
  for (fs_t shortest = (entries.back().end - entries.front().begin) / most + 1;
       entries.size() > most; shortest *= 2) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < entries.size(); ++i) {
      if (entries[i].end - entries[kept].begin <= shortest)
        entries[kept] = joined(entries[kept], entries[i], is_named);
      else
        entries[++kept] = entries[i];
    }
    entries.resize(kept + 1);
  }
}

void timeline::interval(std::uint32_t signal, fs_t begin, fs_t end, std::uint64_t bits) {
  const trace_declaration& declared = catalog().signals[signal];
  if (declared.is_label) return;
  if (is_at_rest(declared, catalog(), bits)) return;
  std::vector<timeline_entry>& track = tracks_[signal];
  track.push_back(
      {begin, end, bits, level_of(declared, catalog(), bits) * static_cast<double>(end - begin)});
  if (track.size() > most_kept) coarsen(track, most_kept / 2, declared.has_names());
}

std::vector<std::size_t> timeline::moving() const {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < tracks_.size(); ++i)
    if (!tracks_[i].empty()) chosen.push_back(i);
  if (chosen.size() <= most_tracks) return chosen;
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return tracks_[a].size() > tracks_[b].size();
  });
  chosen.resize(most_tracks);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::string timeline::json(fs_t end) const {
  const std::vector<std::size_t> chosen = moving();
  const std::size_t most = std::clamp(most_in_all / std::max<std::size_t>(1, chosen.size()),
                                      least_written, most_written);
  ordered all = {{"end_ps", picoseconds(end)}, {"tracks", ordered::array()}};
  for (const std::size_t i : chosen) {
    std::vector<timeline_entry> entries = tracks_[i];
    end_at(entries, end);
    if (entries.empty()) continue;
    coarsen(entries, most, catalog().signals[i].has_names());
    all["tracks"].push_back(track_json(catalog().signals[i], catalog(), entries));
  }
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace heddle
