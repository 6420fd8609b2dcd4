#include "models/cpu/firmware_files.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "platform/firmware/firmware_object.hpp"
#include "platform/netlist/installed_files.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace fs = std::filesystem;

std::string find_firmware_file(const std::string& app, int xlen,
                               const std::string& netlist_folder) {
  if (is_firmware_path(app))
    return find_firmware_path(app, xlen == 32 ? ".rv32.elf" : ".rv64.elf", netlist_folder);
  const fs::path folder = fs::path(executable_path()).parent_path();
  const fs::path of_width = xlen == 32 ? "firmware/rv32" : "firmware";
  std::vector<std::string> names;
  std::vector<fs::path> folders = {folder / of_width, folder / "../share/heddle" / of_width};
  // A program outside has the netlists of an installation; the apps lie beside them.
  for (const std::string& each : netlist_folders())
    folders.push_back(fs::path(each).parent_path() / of_width);
  for (const fs::path& each : folders) {
    const fs::path file = each / (app + ".elf");
    if (fs::is_regular_file(file)) return file.lexically_normal().string();
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(each, ignored))
      if (entry.path().extension() == ".elf") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty())
    throw user_error("no firmware '" + app +
                     "': nothing was built for RISC-V (install gcc-riscv64-unknown-elf, build "
                     "again)");
  const std::string width = xlen == 32 ? " of 32 bits" : "";
  throw user_error("no firmware '" + app + "' built for RISC-V" + width + did_you_mean(app, names));
}

}  // namespace heddle
