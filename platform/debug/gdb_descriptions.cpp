#include "platform/debug/gdb_descriptions.hpp"

#include <fmt/format.h>

#include "platform/text/markup.hpp"

namespace heddle {

// Firmware runs without an operating system. For GNU/Linux, the default of many a gdb, gdb would
// not ask the core to step but set a breakpoint behind the instruction, and the handler of a
// pending interrupt would run unseen before that is reached.
std::string describe_target(const debug_target& core) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
      "<target version=\"1.0\">\n<architecture>{}</architecture>\n<osabi>none</osabi>\n",
      core.architecture());
  std::string feature;
  for (const debug_register& each : core.debug_registers()) {
    if (feature != each.feature) {
      if (!feature.empty()) text += "</feature>\n";
      feature = each.feature;
      text += fmt::format("<feature name=\"{}\">\n", feature);
    }
    text += fmt::format("<reg name=\"{}\" bitsize=\"{}\" regnum=\"{}\" type=\"{}\"/>\n", each.name,
                        each.bits, each.number, each.type);
  }
  if (!feature.empty()) text += "</feature>\n";
  return text + "</target>\n";
}

std::string describe_threads(const std::vector<debug_target*>& cores) {
  std::string text = "<?xml version=\"1.0\"?>\n<threads>\n";
  for (std::size_t i = 0; i < cores.size(); ++i)
    text += fmt::format("<thread id=\"{:x}\" core=\"{}\" name=\"{}\">{}</thread>\n", i + 1, i,
                        markup_escaped(cores[i]->debug_name()),
                        markup_escaped(cores[i]->debug_state()));
  return text + "</threads>\n";
}

}  // namespace heddle
