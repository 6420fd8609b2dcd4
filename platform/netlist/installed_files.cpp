#include "platform/netlist/installed_files.hpp"

#include <filesystem>

namespace heddle {
namespace fs = std::filesystem;

std::string executable_path() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

std::vector<std::string> netlist_folders() {
  const fs::path folder = fs::path(executable_path()).parent_path();
  std::vector<std::string> found;
  for (const fs::path& each : {folder / "../yaml", folder / "../share/heddle/yaml"})
    if (fs::is_directory(each)) found.push_back(fs::canonical(each).string());
  return found;
}

}  // namespace heddle
