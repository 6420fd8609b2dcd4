// A GTKWave save file: the wave opens on the signals and the time that matter.
#pragma once

#include <string>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/trace/trace_declaration.hpp"

namespace heddle {

enum class gtkw_format {
  automatic,  // by kind: bit, decimal, signed decimal, real or string
  binary,
  hex,
  decimal,
  analog,  // stepped curve, three rows high: for counts and fill levels
};

enum class gtkw_color { automatic, red, orange, yellow, green, blue, indigo, violet };

struct gtkw_entry {
  std::string pattern;  // glob over "path.leaf"; what matches follows in declaration order
  gtkw_format format = gtkw_format::automatic;
  gtkw_color color = gtkw_color::automatic;
};

struct gtkw_group {
  std::string name;
  std::vector<gtkw_entry> entries;
  bool closed = false;
  std::string prefix = {};  // what rows leave out of the names of signals; "": the group's name
  std::vector<gtkw_group> groups = {};  // below the entries
};

struct gtkw_marker {
  std::string name;
  fs_t when = 0;
};

struct gtkw_options {
  std::string vcd_path;                    // stored without its folder: both files lie side by side
  std::vector<gtkw_group> groups;          // groups without a traced signal are left out
  std::vector<gtkw_marker> markers;        // up to 26, letters A to Z
  fs_t zoom_from = 0;                      // the collective; a margin is added on both sides
  fs_t zoom_to = 0;                        // not later than zoom_from: from the start of the file
  fs_t file_from = 0, file_to = fs_never;  // first and last instant of the wave
};

std::string gtkw_text(const gtkw_options& options, const std::vector<trace_declaration>& signals);

// Throws user_error if the file cannot be written.
void write_gtkw(const std::string& path, const gtkw_options& options,
                const std::vector<trace_declaration>& signals);

}  // namespace heddle
