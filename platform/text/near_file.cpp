#include "platform/text/near_file.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "platform/text/suggest.hpp"

namespace heddle {
namespace fs = std::filesystem;
namespace {

// Files of one kind are told apart by what is in front of their ending.
bool may_be_meant(const fs::path& file, const fs::path& wanted) {
  if (file.extension() != wanted.extension()) return true;
  const std::string name = file.stem().string(), wanted_name = wanted.stem().string();
  return edit_distance(wanted_name, name) <= 1 || !nearest(wanted_name, {name}).empty();
}

}  // namespace

std::string near_file(const std::string& path) {
  const fs::path wanted(path);
  const fs::path folder = wanted.parent_path();
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator file(folder.empty() ? "." : folder, error);
  for (; !error && file != fs::directory_iterator(); file.increment(error)) {
    const fs::path name = file->path().filename();
    if (may_be_meant(name, wanted)) names.push_back(name.string());
  }
  std::sort(names.begin(), names.end());  // a folder has no order of its own
  return did_you_mean(wanted.filename().string(), names);
}

}  // namespace heddle
