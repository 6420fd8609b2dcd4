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
  const auto* const code = reinterpret_cast<const void*>(address);
  if (dladdr1(code, &info, &found, RTLD_DL_LINKMAP) == 0 || !found) return {};
  const auto* const map = static_cast<const link_map*>(found);
  // The program itself has no name there.
  const std::string name = map->l_name;
  return {name.empty() ? executable_path() : name, map->l_addr};
}

// Names of C are left alone: many are encodings of types, `f` that of float.
std::string demangled(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
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

native_program::object& native_program::object_of(const std::string& file) {
  const auto [found, is_new] = by_file_.try_emplace(file);
  object& known = found->second;
  if (!is_new) return known;
  try {
    known.content = read_elf_file(file);
    known.functions = symbol_table({}, read_elf_symbols(known.content, file));
  } catch (const user_error&) {
    // Reports then name no lines.
  }
  return known;
}

// The program has a main of its own: heddle_add_firmware() renames the app's.
std::string native_program::calling_function(std::uint64_t address) {
  if (address == 0) return {};
  const loaded_object holder = object_at(address);
  if (holder.file.empty()) return {};
  const std::string name =
      demangled(object_of(holder.file).functions.function_at(address - holder.at - 1));
  return name.rfind("heddle_firmware_", 0) == 0 ? "main" : name;
}

code_line native_program::caller_at(std::uint64_t address) {
  if (address == 0) return {};
  const loaded_object holder = object_at(address);
  if (holder.file.empty()) return {};
  object& known = object_of(holder.file);
  if (!known.content.empty()) {
    known.lines = symbol_table(known.content, {});
    known.content.clear();
  }
  const source_line line = known.lines.line_at(address - holder.at - 1);
  return {calling_function(address), line.file, line.line};
}

}  // namespace heddle
