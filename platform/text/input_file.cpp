#include "platform/text/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "platform/text/diagnostic.hpp"

namespace heddle {

std::ifstream open_input_file(const std::string& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (std::filesystem::is_directory(status)) throw user_error(path + ": is a directory");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw user_error(path + ": is a device or a pipe");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw user_error(path + ": " + std::strerror(errno));
  return file;
}

}  // namespace heddle
