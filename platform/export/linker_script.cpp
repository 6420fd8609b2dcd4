#include "platform/export/linker_script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/registers/svd.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t usual_local = 0x80000000;

// First and last address of code, data and stack.
struct local_memory {
  const seen_range* range = nullptr;
  std::uint64_t base = 0, size = 0;
};

// What lies at the core's `local` and within its `local_size`: the core's direct way.
local_memory local_of(const core_view& view) {
  const std::string& core = view.core->path;
  const std::uint64_t local = view.address_parameter("local", usual_local);
  const seen_range* const found = view.find(local);
  if (!found)
    throw user_error(
        view.core->place,
        fmt::format("{} sees no memory at {:#x} for code, data and stack: map one there", core,
                    local));
  if (found->to.port != "in")
    throw user_error(view.core->place,
                     fmt::format("{} has {} at {:#x}, where code, data and stack should be: map a "
                                 "memory there, or set `local`",
                                 core, found->to.text(), local));
  const std::uint64_t rest = found->base + found->size - local;
  const std::uint64_t size = std::min(rest, view.bytes_parameter("local_size", rest));
  return {found, local, size};
}

std::string owner_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot + 1);
}

// "dma_registers" of "gpu[0].dma.registers", for a core that is called "gpu[0].cp".
std::string symbol_of(const std::string& core, const planned_end& to) {
  const std::string owner = owner_of(core);
  std::string text = to.text();
  if (text.compare(0, owner.size(), owner) == 0) text.erase(0, owner.size());
  return identifier_of(text);
}

}  // namespace

std::string linker_script(const netlist_plan& plan, const core_view& view) {
  const std::string& core = view.core->path;
  const local_memory memory = local_of(view);
  std::string text = fmt::format(
      "/* Firmware of {} in the netlist {}: made by `heddle show --linker-script`. */\n"
      "OUTPUT_ARCH(riscv)\nENTRY(_start)\n\n"
      "MEMORY {{\n  local (rwx) : ORIGIN = {:#x}, LENGTH = {:#x} /* {}, {} */\n}}\n\n",
      core, plan.name, memory.base, memory.size, memory.range->to.text(),
      format_bytes(memory.size));
  text += "/* What else is on its bus. */\n";
  for (const seen_range& each : view.ranges) {
    if (&each == memory.range) continue;
    text += fmt::format("PROVIDE({} = {:#x}); /* {} */\n", symbol_of(core, each.to), each.base,
                        format_bytes(each.size));
  }
  return text + "\nINCLUDE sections.ld\n";
}

}  // namespace heddle
