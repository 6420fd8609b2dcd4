#include "platform/debug/monitor_commands.hpp"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "platform/debug/debug_target.hpp"
#include "platform/poll/poll_ledger.hpp"
#include "platform/registers/existing_bits.hpp"
#include "platform/registers/field_text.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/text/quantity.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

constexpr const char* help =
    "monitor time                    simulated time, and what each core does\n"
    "monitor units [GLOB]            paths of the units\n"
    "monitor registers PATH [GLOB]   registers of a unit, with their fields\n"
    "monitor stats [GLOB]            statistics of the units\n"
    "monitor waiting                 who waits for what\n";

std::string unknown_path(const simulation& sim, const std::string& path) {
  std::vector<std::string> known;
  for (const unit* each : sim.units()) known.push_back(each->path());
  return fmt::format("no unit '{}'{}\n", path, did_you_mean(path, known));
}

std::string tell_time(simulation& sim) {
  std::string text = format_duration(now_fs()) + "\n";
  for (const debug_target* each : sim.service<debug_directory>().targets)
    text += fmt::format("{}: {}\n", each->debug_name(), each->debug_state());
  return text;
}

std::string list_units(const simulation& sim, const std::string& glob) {
  std::string text;
  for (const unit* each : sim.units())
    if (glob_match(glob, each->path())) text += each->path() + "\n";
  return text.empty() ? unknown_path(sim, glob) : text;
}

std::uint64_t held(register_file& file, std::uint64_t offset, unsigned bytes) {
  std::uint64_t value = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(offset);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(bytes);
  file.transport_dbg(payload);
  return value;
}

std::string list_registers(register_file& file, const constant_list<register_description>& listed,
                           std::uint64_t base, const std::string& glob) {
  std::string text;
  for (const register_description& each : listed) {
    const std::uint64_t offset = base + each.offset;
    const std::string name = file.register_name(offset);
    if (!glob_match(glob, name) || !exists(*file.find(offset))) continue;
    if (file.is_told_by_reads_alone(offset)) {
      text += fmt::format("{:#06x} {} is not shown: reading it has side effects\n", offset, name);
      continue;
    }
    const std::uint64_t value = held(file, offset, each.width / 8);
    const std::string fields = fields_text(each, value);
    text += fmt::format("{:#06x} {} = {:#x}{}{}\n", offset, name, value, fields.empty() ? "" : "  ",
                        fields);
  }
  return text;
}

std::string show_registers(simulation& sim, const std::string& path, const std::string& glob) {
  if (!sim.find_unit(path)) return unknown_path(sim, path);
  for (register_file* file : sim.service<register_directory>().files) {
    if (file->path() != path) continue;
    const register_file_description& all = file->description();
    std::string text = list_registers(*file, all.registers, 0, glob);
    for (const register_array_description& array : all.arrays)
      for (std::uint32_t i = 0; i < array.count; ++i)
        text += list_registers(*file, array.registers, array.offset + i * array.stride, glob);
    return text.empty() ? fmt::format("{} has no register '{}'\n", path, glob) : text;
  }
  return path + " has no registers\n";
}

// Counts and bytes to the last digit: a debugger compares them.
std::string value_text(const statistic& one) {
  if (one.is_time()) return fmt::format("{:g} s", one.si());
  return fmt::format("{}{}", one.raw(), one.what() == quantity::bytes ? " B" : "");
}

std::string show_statistics(simulation& sim, const std::string& glob) {
  sim.service<sleeping_polls>().count();
  std::string text;
  for (const unit* each : sim.units()) {
    if (!each->statistics() || !glob_match(glob, each->path())) continue;
    for (const statistic* one : each->statistics()->all())
      text += fmt::format("{}.{} = {}\n", each->path(), one->name(), value_text(*one));
  }
  return text.empty() ? fmt::format("no unit '{}' has statistics\n", glob) : text;
}

std::string show_waiting(const simulation& sim) {
  std::string text;
  for (const unit* each : sim.units()) {
    const std::string what = each->waiting_for();
    if (!what.empty()) text += each->path() + " waits for " + what + "\n";
  }
  return text.empty() ? "nobody waits\n" : text;
}

}  // namespace

std::string run_monitor_command(simulation& sim, const std::string& words) {
  std::istringstream line(words);
  std::string command, first, second = "*";
  line >> command >> first >> second;
  if (command.empty() || command == "help") return help;
  const std::string glob = first.empty() ? "*" : first;
  if (command == "time") return tell_time(sim);
  if (command == "units") return list_units(sim, glob);
  if (command == "stats") return show_statistics(sim, glob);
  if (command == "waiting") return show_waiting(sim);
  if (command == "registers")
    return first.empty() ? "registers of which unit? See monitor units\n"
                         : show_registers(sim, first, second);
  return fmt::format(
      "unknown command '{}'{}\n{}", command,
      did_you_mean(command, {"help", "time", "units", "registers", "stats", "waiting"}), help);
}

}  // namespace heddle
