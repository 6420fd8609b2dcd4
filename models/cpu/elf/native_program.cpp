#include "models/cpu/elf/native_program.hpp"

#include <link.h>

#include "platform/netlist/installed_files.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

// The program itself is the first object.
std::uint64_t load_address() {
  std::uint64_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* found) {
        *static_cast<std::uint64_t*>(found) = object->dlpi_addr;
        return 1;
      },
      &address);
  return address;
}

}  // namespace

native_program::native_program() : loaded_at_(load_address()) {
  try {
    const std::string file = executable_path();
    const std::vector<std::byte> content = read_elf_file(file);
    symbols_ = symbol_table(content, read_elf_symbols(content, file));
  } catch (const user_error&) {
    // Reports then name no lines.
  }
}

const native_program& native_program::instance() {
  static const native_program program;
  return program;
}

code_line native_program::caller_at(std::uint64_t address) const {
  if (address == 0) return {};
  const std::uint64_t call = address - loaded_at_ - 1;
  const source_line line = symbols_.line_at(call);
  code_line found{symbols_.function_at(call), line.file, line.line};
  // The program has a main of its own: heddle_add_firmware() renames the app's.
  if (found.function.rfind("heddle_firmware_", 0) == 0) found.function = "main";
  return found;
}

}  // namespace heddle
