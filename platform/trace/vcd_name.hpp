// How signals and strings are spelled in a VCD file so that GTKWave and vcd2fst take them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/trace/trace_declaration.hpp"

namespace heddle {

// "gpu[0].dma" -> {"gpu_0", "dma"}. GTKWave gives '.', '[' and a leading '$' meanings of its own.
std::vector<std::string> vcd_scopes(std::string_view path);
std::string vcd_leaf(std::string_view leaf);

// The name by which GTKWave lists the signal: "gpu_0.dma.count[11:0]".
std::string gtkwave_name(const trace_declaration& declaration);

// Identifier codes, shortest first: "!", "\"", ... "~", "!!", ...
std::string vcd_identifier(std::uint32_t index);

// A string value: blanks and everything unprintable as \ooo, a backslash as two.
std::string vcd_string(std::string_view text);

}  // namespace heddle
