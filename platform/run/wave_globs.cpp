#include "platform/run/wave_globs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/registers/existing_bits.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

source_place place_of(const waveform_options& wanted, const std::string& glob) {
  const auto found = wanted.places.find(glob);
  return found == wanted.places.end() ? source_place{} : found->second;
}

// What a mistyped glob may have meant: "gpu*" for "gpx*". The beginning of a name takes the place
// of its own, of the same length or a letter longer or shorter.
std::vector<std::string> alike(const std::string& glob, const std::vector<std::string>& names) {
  const std::size_t fixed = std::min(glob.find_first_of("*?"), glob.size());
  const std::string rest = glob.substr(fixed);
  std::vector<std::string> found;
  for (const std::size_t length : {fixed, fixed + 1, fixed - std::min<std::size_t>(fixed, 1)}) {
    std::set<std::string> meant;
    for (const std::string& name : names)
      if (std::string each = name.substr(0, length) + rest; glob_match(each, name))
        meant.insert(std::move(each));
    found.insert(found.end(), meant.begin(), meant.end());
  }
  return found;
}

// Without the '!' of a pattern that takes signals away.
std::string bare(const std::string& pattern) {
  return pattern.rfind('!', 0) == 0 ? pattern.substr(1) : pattern;
}

}  // namespace

std::set<std::string> trace_registers(simulation& sim, const waveform_options& wanted) {
  const std::size_t before = sim.trace().signals().size();
  for (const std::string& glob : wanted.registers) {
    bool is_used = false;
    for (register_file* each : sim.service<register_directory>().files)
      is_used = each->trace(sim.trace(), {glob}) || is_used;
    if (is_used) continue;
    std::vector<std::string> names;
    for (const register_file* each : sim.service<register_directory>().files)
      for (const register_cell& cell : each->cells())
        if (exists(cell)) names.push_back(each->path() + "." + register_file::name_of(cell));
    throw user_error(place_of(wanted, glob),
                     "no register matches '" + glob + "'" + did_you_mean(glob, alike(glob, names)));
  }
  const std::vector<trace_declaration>& signals = sim.trace().signals();
  std::set<std::string> names;
  for (std::size_t i = before; i < signals.size(); ++i) names.insert(signals[i].name());
  return names;
}

std::vector<trace_declaration> selected_signals(simulation& sim, const waveform_options& wanted) {
  std::vector<trace_declaration> selected;
  for (const trace_declaration& each : sim.trace().signals())
    if (wanted.selection.selects(each.name())) selected.push_back(each);
  return selected;
}

void check_patterns(simulation& sim, const waveform_options& wanted) {
  const std::vector<std::string>& patterns = wanted.selection.patterns;
  const auto unmatched = sim.trace().unmatched_patterns();
  if (!unmatched.empty()) {
    const std::string& glob = unmatched.front();
    std::vector<std::string> names;
    for (const trace_declaration& each : sim.trace().signals()) names.push_back(each.name());
    for (const unit* each : sim.units()) names.push_back(each->path() + ".");
    throw user_error(
        place_of(wanted, glob),
        "no signal matches '" + glob + "'" + did_you_mean(bare(glob), alike(bare(glob), names)));
  }
  if (selected_signals(sim, wanted).empty())
    throw user_error(
        patterns.empty() ? source_place{} : place_of(wanted, patterns.front()),
        fmt::format("no signal matches '{}': the last pattern that matches a signal decides, and "
                    "one with '!' takes it away",
                    fmt::join(patterns, "', '")));
}

}  // namespace heddle
