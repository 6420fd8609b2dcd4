#include "platform/run/waveform_output.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/run/comparison.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/quantity.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/gtkw_groups.hpp"
#include "platform/yaml/mapping.hpp"

namespace heddle {

std::string save_file_of(const std::string& wave) {
  return std::filesystem::path(wave).replace_extension(".gtkw").string();
}

waveform_options read_trace(const yaml_node& node, const std::string& run_directory) {
  yaml_mapping mapping(node, "trace");
  waveform_options options;
  const yaml_node wave = mapping.required("wave");
  const std::filesystem::path file(as_text(wave));
  if (file.is_absolute() || std::count(file.begin(), file.end(), "..") > 0)
    throw user_error(wave.place(),
                     "the wave of a netlist lies in the run directory; --wave takes "
                     "any path");
  options.file = run_directory + "/" + file.string();
  if (const auto n = mapping.optional("signals")) {
    options.selection.patterns.clear();
    for (const yaml_node& each : as_list(*n)) options.selection.patterns.push_back(as_text(each));
  }
  if (const auto n = mapping.optional("registers"))
    for (const yaml_node& each : as_list(*n)) options.registers.push_back(as_text(each));
  if (const auto n = mapping.optional("from")) options.selection.from = as_duration(*n);
  if (const auto n = mapping.optional("to")) {
    options.selection.to = as_duration(*n);
    if (options.selection.to <= options.selection.from)
      throw user_error(n->place(), "the wave window ends before it starts");
  }
  mapping.finish();
  return options;
}

waveform_output::waveform_output(simulation& sim, const waveform_options& options)
    : sim_(sim), path_(options.file), trigger_(options.trigger) {
  if (path_.empty()) return;
  writer_ = std::make_unique<vcd_writer>(path_);
  if (trigger_) triggered_ = std::make_unique<triggered_sink>(*writer_, *trigger_);
  sim.trace().add_sink(trigger_ ? static_cast<trace_sink&>(*triggered_) : *writer_);
  for (const auto& [from, to] : options.more_windows) {
    sim.trace().open_window(from);
    if (to != fs_never) sim.trace().close_window(to);
  }
}

// GTKWave has 26 markers: start and end of the first 13 collectives.
void waveform_output::mark(const workload_result& result) {
  constexpr std::size_t most_markers = 26;
  if (!writer_ || options_.markers.size() + 2 > most_markers) return;
  const std::string what = fmt::format("{}[{}]{}{}", result.name, results_,
                                       result.algorithm.empty() ? "" : " " + result.algorithm,
                                       result.size.empty() ? "" : " " + size_of(result));
  ++results_;
  options_.markers.push_back({what + " start", result.start});
  options_.markers.push_back({what + " end", result.end});
  if (options_.zoom_to != 0) return;
  options_.zoom_from = result.start;
  options_.zoom_to = result.end;
}

void waveform_output::add_registers(const std::vector<std::string>& globs) {
  if (!writer_) return;
  registers_ = globs;
  for (const std::string& glob : globs) {
    bool is_used = false;
    std::vector<std::string> names;
    for (register_file* each : sim_.service<register_directory>().files) {
      is_used = each->trace(sim_.trace(), {glob}) || is_used;
      names.push_back(each->path() + ".*");
    }
    if (!is_used)
      throw user_error("no register matches '" + glob + "'" + did_you_mean(glob, names));
  }
}

void waveform_output::check_signals() const {
  if (!writer_) return;
  if (trigger_) check_trigger(*trigger_, sim_.trace().signals());
  const auto unmatched = sim_.trace().unmatched_patterns();
  if (unmatched.empty()) return;
  std::vector<std::string> names;
  for (const trace_declaration& each : sim_.trace().signals()) names.push_back(each.name());
  throw user_error("no signal matches '" + unmatched.front() + "'" +
                   did_you_mean(unmatched.front(), names));
}

bool waveform_output::finish(fs_t end) {
  if (!writer_) return false;
  // GTKWave scrolls to the collective only if the file does not end within the page that shows it.
  sim_.trace().finish(std::max(end, options_.zoom_to + (options_.zoom_to - options_.zoom_from)));
  if (!sim_.trace().window_opened()) {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    throw user_error("the wave window never opened: the run ended at " + format_duration(end));
  }
  if (triggered_ && !triggered_->has_fired()) {
    spdlog::warn("no wave: {} was never so", trigger_->signal);
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    return false;
  }
  options_.vcd_path = path_;
  options_.groups = gtkw_groups_by_unit(sim_.trace().moving_signals(), registers_);
  write_gtkw(save_file_of(path_), options_, sim_.trace().signals());
  return true;
}

}  // namespace heddle
