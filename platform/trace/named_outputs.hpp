// Whether the files that a command is asked to write may be written: none of them is read by the
// command, and none is named twice. Pipes and devices take anything.
#pragma once

#include <string>
#include <vector>

#include "platform/text/diagnostic.hpp"

namespace heddle {

struct named_output {
  std::string option;       // that asks for it: "--wave"
  std::string file;         // "": nobody does
  source_place place = {};  // of the key of a netlist that asks for it instead of an option
};

// The same for all ways to spell the name of a file.
std::string canonical_file(const std::string& file);
bool is_regular_file(const std::string& file);

// Throws user_error, which names the option.
void check_named_outputs(const std::vector<std::string>& inputs,
                         const std::vector<named_output>& outputs);

}  // namespace heddle
