#include "platform/text/near_file.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "platform/text/suggest.hpp"

namespace heddle {

std::string near_file(const std::string& path) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.parent_path();
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator file(folder.empty() ? "." : folder, error);
  for (; !error && file != std::filesystem::directory_iterator(); file.increment(error)) {
    names.push_back(file->path().filename().string());
  }
  std::sort(names.begin(), names.end());  // a folder has no order of its own
  return did_you_mean(wanted.filename().string(), names);
}

}  // namespace heddle
