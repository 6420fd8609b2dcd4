#include "tools/regs/write_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "platform/text/diagnostic.hpp"

namespace heddle::regs {
namespace {

// 0 or the number of the error.
int write_all(const std::string& path, const std::string& content) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  int error = 0;
  if (std::fwrite(content.data(), 1, content.size(), file) != content.size()) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

int replace(const std::string& path, const std::string& content) {
  // Two builds that share a folder must not write into one another's file.
  const std::string part = path + "." + std::to_string(::getpid()) + ".part";
  int error = write_all(part, content);
  if (error == 0 && std::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) std::remove(part.c_str());
  return error;
}

}  // namespace

void write_file(const std::string& path, const std::string& content) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(path, unknown);
  // Renaming over /dev/stdout or /dev/full would replace the device itself.
  const bool is_device = std::filesystem::is_other(status);
  const int error = is_device ? write_all(path, content) : replace(path, content);
  if (error == 0) return;
  throw user_error("cannot write '" + path + "': " + std::generic_category().message(error));
}

}  // namespace heddle::regs
