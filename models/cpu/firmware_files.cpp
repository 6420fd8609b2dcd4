#include "models/cpu/firmware_files.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "platform/netlist/installed_files.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace fs = std::filesystem;

std::string find_firmware_file(const std::string& app) {
  const fs::path folder = fs::path(executable_path()).parent_path();
  std::vector<std::string> names;
  for (const fs::path& each : {folder / "firmware", folder / "../share/heddle/firmware"}) {
    const fs::path file = each / (app + ".elf");
    if (fs::is_regular_file(file)) return file.lexically_normal().string();
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(each, ignored))
      if (entry.path().extension() == ".elf") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  if (names.empty())
    throw user_error("no firmware '" + app +
                     "': nothing was built for RISC-V (install gcc-riscv64-unknown-elf, build "
                     "again)");
  throw user_error("no firmware '" + app + "' built for RISC-V" + did_you_mean(app, names));
}

}  // namespace heddle
