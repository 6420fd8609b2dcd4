#include "platform/netlist/shipped_file.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "platform/netlist/installed_files.hpp"
#include "platform/text/suggest.hpp"

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

bool is_shipped(const fs::path& name) {
  const std::vector<std::string> folders = netlist_folders();
  std::error_code unreadable;
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return fs::is_regular_file(fs::path(folder) / name, unreadable);
  });
}

// Of that kind, in the folder of `name`, without the ending that they share.
std::vector<std::string> shipped_beside(const fs::path& name) {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (const std::string& folder : netlist_folders())
    for (const fs::directory_entry& each :
         fs::directory_iterator(fs::path(folder) / name.parent_path(), unreadable))
      if (each.path().extension() == name.extension()) names.push_back(each.path().stem().string());
  std::sort(names.begin(), names.end());  // a folder has no order of its own
  return names;
}

std::string near_shipped(const fs::path& name) {
  const std::string near = nearest(name.stem().string(), shipped_beside(name));
  return near.empty() ? "" : (name.parent_path() / near).string() + name.extension().string();
}

}  // namespace

std::string shipped_file_hint(const std::string& name) {
  const std::vector<fs::path> ends = ends_of(name);
  const auto end = std::find_if(ends.begin(), ends.end(), is_shipped);
  if (end != ends.end()) return " (did you mean '" + end->string() + "', which comes with Heddle?)";
  std::string near = fs::path(name).is_relative() ? near_shipped(name) : "";
  for (const fs::path& each : ends)
    if (near.empty()) near = near_shipped(each);
  return near.empty() ? "" : " (did you mean '" + near + "'?)";
}

}  // namespace heddle
