// A strict reader of VCD files, so that waves are compared by what they say and not as text.
//
// It refuses what viewers forgive: a time that does not grow, a value of an undeclared identifier
// or of another width, two values of a variable at one time, a value equal to the one before, a
// dump that misses a variable, unknown keywords, scopes left open.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// what() starts with the line.
class vcd_error : public std::runtime_error {
 public:
  vcd_error(int line, const std::string& message);
};

struct vcd_variable {
  std::string name;  // "gpu_0.dma.state"
  std::string type;  // "wire", "integer", "real", "string"
  int width = 1;

  bool operator==(const vcd_variable& other) const;
};

enum class vcd_origin { change, dumpvars, dumpoff, dumpon };

struct vcd_value {
  std::uint64_t when = 0;
  std::string name;
  std::string value;  // binary digits without leading zeros, a real as written, a string unescaped
  vcd_origin origin = vcd_origin::change;

  bool operator==(const vcd_value& other) const;
};

struct vcd_wave {
  std::string version;
  std::string timescale;
  std::vector<vcd_variable> variables;  // in the order of the file
  std::vector<vcd_value> values;        // in the order of the file
  std::uint64_t end = 0;                // last time
};

vcd_wave parse_vcd(std::string_view text);
vcd_wave read_vcd(const std::string& path);

// "" if both waves say the same, else the first thing that differs. The order of values at one
// time does not count.
std::string first_difference(const vcd_wave& expected, const vcd_wave& actual);

}  // namespace heddle
