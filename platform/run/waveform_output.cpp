#include "platform/run/waveform_output.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "platform/run/fst_conversion.hpp"
#include "platform/run/wave_globs.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/quantity.hpp"
#include "platform/trace/glob.hpp"
#include "platform/trace/gtkw_groups.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/yaml/mapping.hpp"

namespace heddle {

std::string save_file_of(const std::string& wave) {
  if (is_pipe_or_device(wave)) return {};
  return std::filesystem::path(wave).replace_extension(".gtkw").string();
}

waveform_options read_trace(const yaml_node& node, const std::string& run_directory) {
  yaml_mapping mapping(node, "trace");
  waveform_options options;
  const yaml_node wave = mapping.required("wave");
  const std::filesystem::path file = std::filesystem::path(as_text(wave)).lexically_normal();
  if (file.has_parent_path())
    throw user_error(wave.place(),
                     "the wave of a netlist lies in the run directory; --wave takes "
                     "any path");
  if (!file.has_filename()) throw user_error(wave.place(), "expected the name of a file");
  try {
    check_wave_name(file.string());
  } catch (const user_error& error) {
    throw user_error(wave.place(), error.what());
  }
  options.file = run_directory + "/" + file.string();
  options.file_place = wave.place();
  const auto add = [&](const yaml_node& list, std::vector<std::string>& globs) {
    for (const yaml_node& each : as_list(list)) {
      globs.push_back(as_text(each));
      options.places[globs.back()] = each.place();
    }
  };
  if (const auto n = mapping.optional("signals")) {
    options.selection.patterns.clear();
    add(*n, options.selection.patterns);
  }
  if (const auto n = mapping.optional("registers")) add(*n, options.registers);
  auto& [from, to] = options.windows.front();
  if (const auto n = mapping.optional("from")) from = as_duration(*n);
  if (const auto n = mapping.optional("to")) {
    to = as_duration(*n);
    if (to <= from) throw user_error(n->place(), "the wave window ends before it starts");
  }
  mapping.finish();
  return options;
}

trace_trigger while_job_runs(const std::string& glob) {
  trace_trigger trigger;
  trigger.text = "--wave-job '" + glob + "'";
  trigger.signals = "*.running";
  trigger.value = glob + "*";
  return trigger;
}

bool waveform_options::has_window() const {
  return windows != waveform_options().windows;
}

waveform_output::waveform_output(simulation& sim, const waveform_options& options)
    : sim_(sim), wanted_(options) {
  if (wanted_.file.empty()) return;
  const bool is_converted = is_fst(wanted_.file);
  vcd_path_ = is_converted ? vcd_beside(wanted_.file) : wanted_.file;
  // vcd2fst writes the present date where the VCD has none, and the same run would give other bytes
  // tomorrow.
  writer_ = std::make_unique<vcd_writer>(vcd_path_, is_converted ? "simulated" : "");
  trace_sink* inner = writer_.get();
  for (const trace_trigger& each : wanted_.triggers)
    inner = triggered_.emplace_back(std::make_unique<triggered_sink>(*inner, each)).get();
  windows_ = std::make_unique<windowed_sink>(*inner);
  for (const auto& [from, to] : wanted_.windows) windows_->add_window(from, to);
  if (!wanted_.is_shared) {
    sim.trace().add_sink(*windows_);
    return;
  }
  selected_ = std::make_unique<selected_sink>(
      *windows_, [this](const std::string& name) { return wanted_.selection.selects(name); });
  sim.trace().add_sink(*selected_);
}

// Jobs that nobody wanted to see have no markers.
bool waveform_output::is_written(const std::string& title) const {
  return std::all_of(
      wanted_.triggers.begin(), wanted_.triggers.end(), [&](const trace_trigger& each) {
        return each.signals != while_job_runs("").signals || glob_match(each.value, title);
      });
}

void waveform_output::start(const std::string& path) {
  started_[path] = now_fs();
}

// GTKWave has 26 markers: start and end of the first 13 collectives.
void waveform_output::mark(const std::string& path, const workload_result& result) {
  constexpr std::size_t most_markers = 26;
  started_.erase(path);
  if (!writer_ || options_.markers.size() + 2 > most_markers) return;
  const std::string title = result.title();
  if (!is_written(title)) return;
  options_.markers.push_back({title + " start", result.start});
  options_.markers.push_back({title + " end", result.end});
  if (options_.zoom_to != 0) return;
  options_.zoom_from = result.start;
  options_.zoom_to = result.end;
}

// Jobs of a run that ended before they did. Where their titles are not traced, they are called
// after their workloads.
void waveform_output::mark_unfinished() {
  std::vector<gtkw_marker> starts;
  for (const auto& [path, when] : started_) {
    const std::string title = windows_->last_text(path + ".running");
    if (is_written(title)) starts.push_back({(title.empty() ? path : title) + " start", when});
  }
  std::stable_sort(starts.begin(), starts.end(),
                   [](const gtkw_marker& a, const gtkw_marker& b) { return a.when < b.when; });
  options_.markers.insert(options_.markers.end(), starts.begin(), starts.end());
}

// From the first job that has begun to the end of the file, or all of it.
void waveform_output::zoom_where_nothing_ended() {
  options_.zoom_from = options_.file_from;
  options_.zoom_to = options_.file_to;
  if (options_.markers.empty()) return;
  const fs_t start = options_.markers.front().when;
  if (start < options_.file_to) options_.zoom_from = std::max(options_.file_from, start);
}

void waveform_output::add_registers() {
  if (writer_) registers_ = trace_registers(sim_, wanted_);
}

void waveform_output::check_signals() const {
  if (!writer_) return;
  for (const trace_trigger& each : wanted_.triggers)
    check_trigger(each, selected_signals(sim_, wanted_));
  check_patterns(sim_, wanted_);
}

bool waveform_output::has_window_opened(fs_t end) const {
  if (windows_->has_opened()) return true;
  spdlog::warn("no wave: its window never opened, the run ended at {}", format_duration(end));
  return false;
}

// A trigger counts only where the window and the other trigger let it.
bool waveform_output::has_every_trigger_fired() const {
  if (std::all_of(triggered_.begin(), triggered_.end(),
                  [](const auto& each) { return each->has_fired(); }))
    return true;
  std::vector<std::string> conditions;
  for (const trace_trigger& each : wanted_.triggers) conditions.push_back(each.text);
  if (wanted_.has_window()) conditions.push_back("the wave window");
  if (conditions.size() == 1)
    spdlog::warn("no wave: nothing in this run matched {}", conditions.front());
  else
    spdlog::warn("no wave: {} never held together", fmt::join(conditions, " and "));
  return false;
}

std::vector<trace_declaration> waveform_output::shown_signals() const {
  std::set<std::string> shown = registers_;
  for (const trace_declaration& each : windows_->moving_signals()) shown.insert(each.name());
  std::vector<trace_declaration> found;
  for (const trace_declaration& each : selected_signals(sim_, wanted_))
    if (shown.count(each.name()) > 0) found.push_back(each);
  return found;
}

bool waveform_output::finish(fs_t end) {
  if (!writer_) return false;
  // GTKWave scrolls to the collective only if the file does not end within the page that shows it.
  sim_.trace().finish(std::max(end, options_.zoom_to + (options_.zoom_to - options_.zoom_from)));
  std::error_code ignored;
  if (!has_window_opened(end) || !has_every_trigger_fired()) {
    for (const std::string& each : {vcd_path_, wanted_.file, save_file_of(wanted_.file)})
      if (is_regular_file(each)) std::filesystem::remove(each, ignored);  // of an earlier run, too
    return false;
  }
  if (vcd_path_ != wanted_.file) convert_to_fst(vcd_path_, wanted_.file);
  const std::string save_file = save_file_of(wanted_.file);
  if (save_file.empty()) return true;
  options_.vcd_path = wanted_.file;
  options_.file_from = writer_->first_time();
  options_.file_to = writer_->last_time();
  mark_unfinished();
  const bool is_in_file =
      options_.zoom_from < options_.file_to && options_.zoom_to > options_.file_from;
  if (!is_in_file) zoom_where_nothing_ended();
  options_.groups = gtkw_groups_by_unit(shown_signals(), registers_);
  std::stable_partition(options_.groups.begin(), options_.groups.end(),
                        [this](const gtkw_group& each) {
                          return std::find(first_.begin(), first_.end(), each.name) != first_.end();
                        });
  write_gtkw(save_file, options_, selected_signals(sim_, wanted_));
  return true;
}

}  // namespace heddle
