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
    content_ = read_elf_file(file);
    functions_ = symbol_table({}, read_elf_symbols(content_, file));
  } catch (const user_error&) {
    // Reports then name no lines.
  }
}

native_program& native_program::instance() {
  static native_program program;
  return program;
}

// The program has a main of its own: heddle_add_firmware() renames the app's.
std::string native_program::calling_function(std::uint64_t address) const {
  if (address == 0) return {};
  const std::string function = functions_.function_at(address - loaded_at_ - 1);
  return function.rfind("heddle_firmware_", 0) == 0 ? "main" : function;
}

code_line native_program::caller_at(std::uint64_t address) {
  if (address == 0) return {};
  if (!content_.empty()) {
    lines_ = symbol_table(content_, {});
    content_.clear();
  }
  const source_line line = lines_.line_at(address - loaded_at_ - 1);
  return {calling_function(address), line.file, line.line};
}

}  // namespace heddle
