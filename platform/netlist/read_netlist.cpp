#include "platform/netlist/read_netlist.hpp"

#include "platform/netlist/installed_files.hpp"
#include "platform/netlist/shipped_file.hpp"
#include "platform/yaml/parse.hpp"
#include "platform/yaml/unreadable_file.hpp"

namespace heddle {
namespace {

std::string hint(const std::string& name) {
  std::string text = shipped_file_hint(name);
  if (!text.empty()) return text;
  for (const std::string& folder : lost_netlist_folders())
    text += "; the netlists of Heddle that this program was built with are not in '" + folder +
            "' any more: build it again";
  return text;
}

}  // namespace

yaml_node read_netlist(const std::string& name, const std::string& found) {
  try {
    return parse_yaml_file(found);
  } catch (const unreadable_file& error) {
    if (error.has_hint() || !error.is_missing()) throw;
    throw user_error(error.what() + hint(name));
  }
}

}  // namespace heddle
