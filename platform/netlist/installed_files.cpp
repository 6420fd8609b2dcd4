#include "platform/netlist/installed_files.hpp"

#include <filesystem>

namespace heddle {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path>& added_folders() {
  static std::vector<fs::path> folders;
  return folders;
}

}  // namespace

void add_netlist_folder(const std::string& folder) {
  added_folders().emplace_back(folder);
}

std::string executable_path() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

std::vector<std::string> netlist_folders() {
  const fs::path folder = fs::path(executable_path()).parent_path();
  std::vector<fs::path> candidates = {folder / "../yaml", folder / "../share/heddle/yaml"};
  candidates.insert(candidates.end(), added_folders().begin(), added_folders().end());
  std::vector<std::string> found;
  for (const fs::path& each : candidates)
    if (fs::is_directory(each)) found.push_back(fs::canonical(each).string());
  return found;
}

std::vector<std::string> lost_netlist_folders() {
  std::vector<std::string> lost;
  for (const fs::path& each : added_folders())
    if (!fs::is_directory(each)) lost.push_back(each.string());
  return lost;
}

}  // namespace heddle
