#include "platform/netlist/read_netlist.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "platform/netlist/installed_files.hpp"
#include "platform/text/suggest.hpp"
#include "platform/yaml/parse.hpp"
#include "platform/yaml/unreadable_file.hpp"

namespace heddle {
namespace fs = std::filesystem;
namespace {

// For yaml/units/hub.yaml these are units/hub.yaml and hub.yaml.
std::vector<fs::path> ends_of(const fs::path& name) {
  std::vector<fs::path> ends;
  for (auto from = name.begin(); from != name.end() && ++from != name.end();) {
    fs::path end;
    for (auto at = from; at != name.end(); ++at) end /= *at;
    ends.push_back(end);
  }
  return ends;
}

// What comes with Heddle is named relative to its folder, wherever that is.
std::string shipped_netlist(const fs::path& name) {
  std::error_code unreadable;
  for (const fs::path& end : ends_of(name))
    for (const std::string& folder : netlist_folders())
      if (fs::is_regular_file(fs::path(folder) / end, unreadable)) return end.string();
  return {};
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (const std::string& folder : netlist_folders())
    for (const fs::directory_entry& each : fs::directory_iterator(folder, unreadable))
      if (each.path().extension() == ".yaml") names.push_back(each.path().filename().string());
  std::sort(names.begin(), names.end());  // a folder has no order of its own
  return names;
}

std::string hint(const std::string& name) {
  const std::string shipped = shipped_netlist(name);
  if (!shipped.empty()) return " (did you mean '" + shipped + "', which comes with Heddle?)";
  std::string text = did_you_mean(fs::path(name).filename().string(), shipped_names());
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
