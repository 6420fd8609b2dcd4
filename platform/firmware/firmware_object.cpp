#include "platform/firmware/firmware_object.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace fs = std::filesystem;

std::string find_firmware_path(const std::string& firmware, const std::string& ending,
                               const std::string& folder) {
  const bool is_complete =
      firmware.size() > ending.size() &&
      firmware.compare(firmware.size() - ending.size(), ending.size(), ending) == 0;
  const fs::path wanted = is_complete ? firmware : firmware + ending;
  const fs::path beside = fs::path(folder) / wanted;  // `wanted` itself where that is absolute
  std::error_code unreadable;
  for (const fs::path& each : {beside, wanted})
    if (fs::is_regular_file(each, unreadable))
      return fs::absolute(each).lexically_normal().string();
  const std::string first = beside.lexically_normal().string();
  const std::string second = wanted.lexically_normal().string();
  throw user_error("no firmware '" + firmware + "': there is no " + first +
                   (first == second ? "" : " and no " + second));
}

firmware_registry::entry_point load_firmware_object(const std::string& file) {
  void* const object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) throw user_error(std::string("firmware cannot be loaded: ") + dlerror());
  void* const entry = dlsym(object, "main");
  if (!entry) throw user_error(file + ": the firmware has no main");
  return reinterpret_cast<firmware_registry::entry_point>(entry);
}

}  // namespace heddle
