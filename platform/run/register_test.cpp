#include "platform/run/register_test.hpp"

#include <fmt/format.h>

#include <utility>

#include "platform/contracts/register_audit.hpp"
#include "platform/netlist/seen_registers.hpp"
#include "platform/netlist/silent_cores.hpp"
#include "platform/registers/field_text.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/run/register_entry.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/workload/job_board.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t most_findings = 100;
constexpr const char* app = "register_test";

constexpr std::uint64_t program_bytes = 16384;  // as sw/start/moving.ld

bool is_memory(const seen_range& range) {
  return range.to.port == "in";
}

bool is_low(const seen_range& range) {
  return range.base + range.size - 1 <= UINT32_MAX;
}

// The code of a core model lies at the start of its local memory.
std::uint64_t local_of(const core_view& view) {
  return view.address_parameter("local", 0);
}

void check_local(const core_view& view) {
  if (!view.has_parameter("local")) return;
  const std::uint64_t local = local_of(view);
  const seen_range* const found = view.find(local);
  if (found && is_memory(*found) && found->base + found->size - local >= program_bytes) return;
  throw user_error(view.core->place,
                   fmt::format("{} sees no 16 KiB of memory at {:#x} (its parameter local) for "
                               "code and stack of the register test",
                               view.core->path, local));
}

// Half of a range is free where workloads keep their data in it; code lies at the start.
std::uint64_t room_in(const seen_range& memory, const core_view& view) {
  if (view.has_parameter("local") && memory.holds(local_of(view)))
    return local_of(view) + program_bytes;
  return memory.base + memory.size / 2;
}

// The core's own memory, or the largest that it sees; of 4 GiB and below where a core model can
// choose, because one of 32 bits reaches nothing else.
const seen_range& memory_of(const core_view& view) {
  const bool prefers_low = view.has_parameter("local");
  const seen_range* const own = view.find(view.address_parameter("window", 0));
  if (own && is_memory(*own) && (!prefers_low || is_low(*own))) return *own;
  const seen_range* found = nullptr;
  const auto rank = [&](const seen_range& each) {
    return std::pair(prefers_low && is_low(each), each.size);
  };
  for (const seen_range& each : view.ranges)
    if (is_memory(each) && (!found || rank(each) > rank(*found))) found = &each;
  if (!found)
    throw user_error(view.core->place,
                     view.core->path + " sees no memory to hold the list of its registers");
  return *found;
}

rank_core& rank_of(simulation& sim, const core_view& view) {
  auto* const found = dynamic_cast<rank_core*>(sim.find_unit(view.core->path));
  if (!found) throw user_error(view.core->place, view.core->path + " runs no firmware of ours");
  return *found;
}

const char* meaning_of(std::uint32_t check) {
  constexpr const char* meanings[REGISTER_CHECKS] = {
      "after reset",
      "bits that are not there",
      "read although it is write-only",
      "bits that are read-only, after ones were written",
      "after it was written",
      "W1C or RC bits that the device has set",
      "W1C bits after zeros were written",
      "W1C bits after ones were written",
      "W1S bits after ones were written",
      "RC bits after a read"};
  return check < REGISTER_CHECKS ? meanings[check] : "?";
}

}  // namespace

core_view prepare_register_test(netlist_plan& plan, const std::string& core) {
  core_view view = view_of(plan, core);
  check_local(view);
  silence_cores(plan);
  plan.workload.reset();
  plan.settings.contracts = {contract_severity::log, {}};
  for (planned_unit& each : plan.units) {
    if (each.path != view.core->path) continue;
    set_parameter(each, "firmware", app, "--test-registers");
    set_parameter(each, "window", fmt::format("{:#x}", room_in(memory_of(view), view)),
                  "--test-registers");
  }
  return view;
}

register_test::register_test(const core_view& view, simulation& sim)
    : sim_(sim), core_(rank_of(sim, view)) {
  list(view, sim);
  check_room(view);
  if (registers_.empty())
    throw user_error(view.core->place, view.core->path + " sees no registers on its bus");
  sim.service<register_audit_log>().keep_quiet();
  job_board& board = sim.service<job_board>();
  board.open();
  board.listen(core_, [this](rank_core&, job_mark mark, std::uint32_t, fs_t) {
    mark == job_mark::start ? set_bits() : collect();
  });
  sc_core::sc_spawn(
      [this] {
        try {
          write_table();
          sim_.service<job_board>().post({&core_}, 0);
        } catch (const user_error&) {
          sim_.service<run_control>().reject(std::current_exception());
        }
      },
      "register_test");
}

void register_test::list(const core_view& view, simulation& sim) {
  for (const seen_registers& block : registers_seen(view, sim)) {
    for (std::size_t i = 0; i < block.registers->cells().size(); ++i) {
      const register_cell& cell = block.registers->cells()[i];
      if (cell.offset + cell.bytes > block.size) continue;  // behind what is mapped
      registers_.push_back(
          {block.registers, i, make_register_entry(cell, block.base + cell.offset)});
      if ((registers_.back().entry.flags & REGISTER_WRITABLE) == 0) ++unwritten_;
    }
  }
}

std::uint64_t register_test::table_bytes() const {
  return sizeof table_ + registers_.size() * sizeof(register_entry) +
         most_findings * sizeof(register_finding);
}

void register_test::check_room(const core_view& view) const {
  const std::uint64_t base = core_.resources().window;
  const seen_range* const memory = view.find(base);
  if (memory && memory->base + memory->size - base >= table_bytes()) return;
  throw user_error(
      view.core->place,
      fmt::format("{} sees too little memory at {:#x} for the list of its {} "
                  "registers, which takes {}",
                  view.core->path, base, registers_.size(), format_bytes(table_bytes())));
}

void register_test::write_table() {
  const std::uint64_t base = core_.resources().window;
  table_.magic = REGISTER_TABLE_MAGIC;
  table_.entries = static_cast<std::uint32_t>(registers_.size());
  table_.entry = base + sizeof table_;
  table_.findings = table_.entry + registers_.size() * sizeof(register_entry);
  table_.room = most_findings;
  std::vector<register_entry> entries;
  for (const tested& each : registers_) entries.push_back(each.entry);
  core_.debug_write(base, &table_, sizeof table_);
  core_.debug_write(table_.entry, entries.data(), entries.size() * sizeof(register_entry));
}

void register_test::set_bits() {
  for (const tested& each : registers_) {
    if (each.entry.preset == 0) continue;
    const register_cell& cell = each.file->cells()[each.cell];
    std::uint64_t value = cell.peek() | each.entry.preset;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(cell.offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(cell.bytes);
    each.file->transport_dbg(payload);
  }
}

// The first failure ends the run: all of them have to be said at once.
void register_test::collect() {
  is_finished_ = true;
  core_.debug_read(core_.resources().window, &table_, sizeof table_);
  const std::uint32_t shown = std::min(table_.found, table_.room);
  std::vector<register_finding> findings(shown);
  core_.debug_read(table_.findings, findings.data(), shown * sizeof(register_finding));
  auto& control = sim_.service<run_control>();
  for (const register_finding& each : findings) control.fail(finding_text(each));
  if (table_.found > shown)
    control.fail(fmt::format("and {} more deviations of registers", table_.found - shown));
}

// "gate.mode (gate.regs.yaml:7): after reset it reads 0x1, expected 0x0 (mode=FAST, expected SLOW)"
std::string register_test::finding_text(const register_finding& one) const {
  const tested& about = registers_.at(one.entry);
  const register_cell& cell = about.file->cells()[about.cell];
  const register_description& of = *cell.description;
  const register_file_description& block = about.file->description();
  const std::string place =
      block.source.empty() ? "" : fmt::format(", {}:{}", block.source, of.line);
  std::string text =
      fmt::format("{} {} ({:#x}{}) is {}: {} it reads {:#x}, expected {:#x}", about.file->path(),
                  register_file::name_of(cell), about.entry.address, place, access_name(of.access),
                  meaning_of(one.check), one.got, one.expected);
  std::string fields;
  for (const field_description& field : of.fields) {
    if (((one.got ^ one.expected) & field.mask()) == 0) continue;
    const auto value = [&](std::uint64_t bits) {
      return value_text(field, (bits & field.mask()) >> field.low);
    };
    fields += fmt::format("{}{} is {}, expected {}", fields.empty() ? "" : "; ", field.name,
                          value(one.got), value(one.expected));
  }
  return fields.empty() ? text : text + ": " + fields;
}

std::string register_test::text() const {
  const std::string seen =
      fmt::format("{} registers as {} sees them", registers_.size(), core_.rank_path());
  if (!is_finished_) return seen + ", not finished";
  return fmt::format(
      "{}, {} checks, {}; {} not written, because a write acts or cannot be read back", seen,
      table_.checks, table_.found == 0 ? "all right" : fmt::format("{} wrong", table_.found),
      unwritten_);
}

}  // namespace heddle
