// Waves as FST, several times smaller than VCD: GTKWave's own vcd2fst writes them.
#pragma once

#include <string>

namespace heddle {

// Throws user_error where the name has an extension that waves do not have.
void check_wave_name(const std::string& file);

// By its name: "ring.fst"; "ring.vcd" and "ring" are none. Throws user_error where vcd2fst is not
// installed, and for other extensions.
bool is_fst(const std::string& file);

// A name beside it for the VCD, of this process alone.
std::string vcd_beside(const std::string& fst);

// Takes the VCD away. Throws user_error.
void convert_to_fst(const std::string& vcd, const std::string& fst);

}  // namespace heddle
