#include "models/cpu/elf/native_program.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <memory>

#include "platform/netlist/installed_files.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

// The program or shared object that holds an address.
struct loaded_object {
  std::string file;
  std::uint64_t at = 0;  // where its address 0 is
};

loaded_object object_at(std::uint64_t address) {
  Dl_info info;
  void* found = nullptr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is an address of this process
  const auto* const place = reinterpret_cast<const void*>(address);
  if (dladdr1(place, &info, &found, RTLD_DL_LINKMAP) == 0 || !found) return {};
  const auto* const map = static_cast<const link_map*>(found);
  // The program itself has no name there.
  const std::string name = map->l_name;
  return {name.empty() ? executable_path() : name, map->l_addr};
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

}  // namespace

native_program& native_program::instance() {
  static native_program program;
  return program;
}

const symbol_table& native_program::symbols_of(const std::string& file) {
  const auto [found, is_new] = by_file_.try_emplace(file);
  if (!is_new) return found->second;
  try {
    const std::vector<std::byte> content = read_elf_file(file);
    found->second = symbol_table(content, read_elf_symbols(content, file));
  } catch (const user_error&) {
    // Reports then name no lines.
  }
  return found->second;
}

code_line native_program::caller_at(std::uint64_t address) {
  if (address == 0) return {};
  const loaded_object object = object_at(address);
  if (object.file.empty()) return {};
  const symbol_table& symbols = symbols_of(object.file);
  const std::uint64_t call = address - object.at - 1;
  const source_line line = symbols.line_at(call);
  code_line found{demangled(symbols.function_at(call)), line.file, line.line};
  // The program has a main of its own: heddle_add_firmware() renames the app's.
  if (found.function.rfind("heddle_firmware_", 0) == 0) found.function = "main";
  return found;
}

}  // namespace heddle
