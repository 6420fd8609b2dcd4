#include "platform/trace/gtkw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "platform/trace/glob.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/trace/vcd_name.hpp"

namespace heddle {

namespace {

// Bits of the @ lines, as GTKWave 3.3 stores the look of a row.
constexpr unsigned hex_row = 1u << 1;
constexpr unsigned decimal_row = 1u << 2;
constexpr unsigned binary_row = 1u << 3;
constexpr unsigned right_justified = 1u << 5;
constexpr unsigned blank_row = 1u << 9;
constexpr unsigned signed_row = 1u << 10;
constexpr unsigned hidden_row = 1u << 12;
constexpr unsigned analog_step = 1u << 15;
constexpr unsigned analog_extension = 1u << 17;
constexpr unsigned analog_full_scale = 1u << 19;
constexpr unsigned closed_row = 1u << 22;
constexpr unsigned group_begin = 1u << 23;
constexpr unsigned group_end = 1u << 24;

constexpr int window_width = 1600;
constexpr int window_height = 900;
constexpr int tree_width = 280;  // GTKWave makes it no narrower
constexpr int names_width = 260;
constexpr double wave_width = window_width - tree_width - names_width - 40;  // pixels
constexpr std::size_t most_markers = 26;

class save_file {
 public:
  void line(const std::string& text) { text_.append(text).append("\n"); }
  void text(const std::string& lines) { text_.append(lines); }

  void look(unsigned flags) {
    char text[16];
    std::snprintf(text, sizeof text, "@%x", flags);
    line(text);
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// What the patterns of the entries look in. A pattern that is just a name is found at once, since
// generated groups name thousands of signals.
class signal_index {
 public:
  explicit signal_index(const std::vector<trace_declaration>& signals) : signals_(signals) {
    for (const trace_declaration& signal : signals) {
      position_.emplace(signal.name(), names_.size());
      names_.push_back(signal.name());
    }
  }

  std::vector<const trace_declaration*> matches(const std::string& pattern) const {
    if (const auto exact = position_.find(pattern); exact != position_.end()) {
      return {&signals_[exact->second]};
    }
    std::vector<const trace_declaration*> found;
    if (pattern.find_first_of("*?") == std::string::npos) return found;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (glob_match(pattern, names_[i])) found.push_back(&signals_[i]);
    }
    return found;
  }

 private:
  const std::vector<trace_declaration>& signals_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> position_;
};

unsigned flags_of(gtkw_format format, trace_kind kind) {
  const unsigned sign = kind == trace_kind::integer ? signed_row : 0;
  switch (format) {
    case gtkw_format::binary:
      return binary_row | right_justified;
    case gtkw_format::hex:
      return hex_row | right_justified;
    case gtkw_format::decimal:
      return decimal_row | sign | right_justified;
    case gtkw_format::analog:
      return decimal_row | sign | right_justified | analog_step | analog_full_scale;
    case gtkw_format::automatic:
      break;
  }
  const bool number = kind == trace_kind::vector || kind == trace_kind::integer;
  return (number ? decimal_row : binary_row) | sign | right_justified;
}

// A row shows the netlist's name of the signal, without what the titles of its groups say already.
std::string label_of(const trace_declaration& signal, const gtkw_group& group) {
  const std::string name = signal.name();
  const std::string prefix = group.prefix.empty() ? group.name + "." : group.prefix;
  const bool repeated = name.compare(0, prefix.size(), prefix) == 0;
  std::string label = repeated ? name.substr(prefix.size()) : name;
  std::replace(label.begin(), label.end(), '.', '/');  // GTKWave shows only what follows a dot
  return label;
}

void write_row(save_file& file, const trace_declaration& signal, const gtkw_entry& entry,
               const std::string& label) {
  file.look(flags_of(entry.format, signal.kind));
  if (entry.color != gtkw_color::automatic) {
    file.line("[color] " + std::to_string(static_cast<int>(entry.color)));
  }
  file.line("+{" + label + "} " + gtkwave_name(signal));
  if (entry.format == gtkw_format::analog) {
    file.look(analog_extension);
    file.line("-");
    file.line("-");
  }
}

// Nothing where no signal is there.
std::string group_text(const gtkw_group& group, const signal_index& signals) {
  save_file rows;
  for (const gtkw_entry& entry : group.entries) {
    for (const trace_declaration* signal : signals.matches(entry.pattern)) {
      write_row(rows, *signal, entry, label_of(*signal, group));
    }
  }
  for (const gtkw_group& each : group.groups) rows.text(group_text(each, signals));
  const std::string text = rows.take();
  if (text.empty()) return {};
  save_file file;
  file.look(group_begin | blank_row | (group.closed ? closed_row : 0));
  file.line("-" + group.name);
  file.text(text);
  file.look(group_end | blank_row | (group.closed ? closed_row | hidden_row : 0));
  file.line("-" + group.name);
  return file.take();
}

// GTKWave shows 200 pixels for 2^-zoom units of time.
double zoom_of(double span) {
  return -std::log2(span * 200.0 / wave_width);
}

// Time shown before and behind the span, for the names of markers, which are centered on them.
fs_t margin_of(fs_t span, const std::vector<gtkw_marker>& markers) {
  constexpr double letter_width = 5, least = wave_width / 20, most = wave_width / 4;  // pixels
  double pixels = least;
  for (const gtkw_marker& each : markers)
    pixels = std::max(pixels, letter_width * (static_cast<double>(each.name.size()) / 2 + 1));
  pixels = std::min(pixels, most);
  return static_cast<fs_t>(static_cast<double>(span) * pixels / (wave_width - 2 * pixels));
}

// The time that the window shows.
struct page {
  fs_t start = 0;
  double length = 0;
};

// GTKWave scrolls to a page only if the file does not end within it, so that such a page ends just
// before the file does. One that begins with the file needs no scrolling. The waves of a window may
// be a little wider than wave_width.
page page_of(const gtkw_options& options) {
  constexpr double shown_of_rest = 0.97;
  const bool zoomed = options.zoom_to > options.zoom_from;
  const fs_t span = zoomed ? options.zoom_to - options.zoom_from : fs_per_us;
  const fs_t margin = margin_of(span, options.markers);
  page shown;
  shown.start = options.zoom_from - std::min(options.zoom_from, zoomed ? margin : 0);
  shown.start = std::max(shown.start, options.file_from);
  shown.length = static_cast<double>(span + 2 * margin);
  if (shown.start > options.file_from && shown.start < options.file_to)
    shown.length =
        std::min(shown.length, shown_of_rest * static_cast<double>(options.file_to - shown.start));
  return shown;
}

void write_time_line(save_file& file, const gtkw_options& options) {
  const page shown = page_of(options);
  file.line("[timestart] " + std::to_string(shown.start));
  file.line("[size] " + std::to_string(window_width) + " " + std::to_string(window_height));
  file.line("[pos] -1 -1");

  char zoom[32];
  std::snprintf(zoom, sizeof zoom, "*%.6f -1", zoom_of(shown.length));
  std::string times = zoom;  // then the nameless marker, then A to Z
  for (std::size_t i = 0; i < most_markers; ++i) {
    times += i < options.markers.size() ? " " + std::to_string(options.markers[i].when) : " -1";
  }
  file.line(times);
  for (std::size_t i = 0; i < std::min(most_markers, options.markers.size()); ++i) {
    file.line(std::string("[markername] ") + static_cast<char>('A' + i) + options.markers[i].name);
  }
}

void write_open_scopes(save_file& file, const std::vector<trace_declaration>& signals) {
  std::vector<std::string> opened;
  for (const trace_declaration& signal : signals) {
    const std::string scope = vcd_scopes(signal.path).front() + ".";
    if (std::find(opened.begin(), opened.end(), scope) != opened.end()) continue;
    opened.push_back(scope);
    file.line("[treeopen] " + scope);
  }
}

}  // namespace

std::string gtkw_text(const gtkw_options& options, const std::vector<trace_declaration>& signals) {
  save_file file;
  file.line("[*]");
  file.line("[*] Heddle");
  file.line("[*]");
  file.line("[dumpfile] \"" + options.vcd_path.substr(options.vcd_path.rfind('/') + 1) + "\"");
  write_time_line(file, options);
  write_open_scopes(file, signals);
  file.line("[sst_width] " + std::to_string(tree_width));
  file.line("[signals_width] " + std::to_string(names_width));
  file.line("[sst_expanded] 1");
  const signal_index index(signals);
  for (const gtkw_group& group : options.groups) file.text(group_text(group, index));
  file.line("[pattern_trace] 1");
  file.line("[pattern_trace] 0");
  return file.take();
}

void write_gtkw(const std::string& path, const gtkw_options& options,
                const std::vector<trace_declaration>& signals) {
  output_file file(path);
  file.write(gtkw_text(options, signals));
  file.commit();
}

}  // namespace heddle
