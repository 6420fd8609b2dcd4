#include "models/cpu/rv_core/hart_debug_target.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>

#include "models/cpu/rv/csr_file.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

// Numbers as gdb has them: x0 to x31, the pc, f0 to f31, then the CSRs.
constexpr unsigned pc_number = 32, first_float = 33, first_csr = 65;
constexpr const char* cpu_feature = "org.gnu.gdb.riscv.cpu";
constexpr const char* float_feature = "org.gnu.gdb.riscv.fpu";
constexpr const char* csr_feature = "org.gnu.gdb.riscv.csr";

constexpr std::array<const char*, pc_number> general_names = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

constexpr std::array<const char*, first_csr - first_float> float_names = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

struct csr_name {
  const char* name;
  rv::csr number;
};

constexpr csr_name float_csr_names[] = {
    {"fflags", rv::csr::fflags}, {"frm", rv::csr::frm}, {"fcsr", rv::csr::fcsr}};

constexpr csr_name csr_names[] = {{"mstatus", rv::csr::mstatus},
                                  {"misa", rv::csr::misa},
                                  {"mie", rv::csr::mie},
                                  {"mtvec", rv::csr::mtvec},
                                  {"mscratch", rv::csr::mscratch},
                                  {"mepc", rv::csr::mepc},
                                  {"mcause", rv::csr::mcause},
                                  {"mtval", rv::csr::mtval},
                                  {"mip", rv::csr::mip},
                                  {"mcycle", rv::csr::mcycle},
                                  {"minstret", rv::csr::minstret},
                                  {"cycle", rv::csr::cycle},
                                  {"time", rv::csr::time},
                                  {"instret", rv::csr::instret},
                                  {"mvendorid", rv::csr::mvendorid},
                                  {"marchid", rv::csr::marchid},
                                  {"mimpid", rv::csr::mimpid},
                                  {"mhartid", rv::csr::mhartid}};

std::vector<debug_register> make_registers(int xlen) {
  std::vector<debug_register> made;
  for (unsigned i = 0; i < pc_number; ++i) {
    const std::string name = general_names[i];
    const bool is_pointer = name == "sp" || name == "gp" || name == "tp" || name == "fp";
    const char* type = name == "ra" ? "code_ptr" : is_pointer ? "data_ptr" : "int";
    made.push_back({name, i, xlen, type, cpu_feature});
  }
  made.push_back({"pc", pc_number, xlen, "code_ptr", cpu_feature});
  for (unsigned i = 0; i < float_names.size(); ++i)
    made.push_back({float_names[i], first_float + i, 64, "ieee_double", float_feature});
  for (const csr_name& each : float_csr_names)
    made.push_back(
        {each.name, first_csr + static_cast<unsigned>(each.number), 32, "int", float_feature});
  for (const csr_name& each : csr_names)
    made.push_back(
        {each.name, first_csr + static_cast<unsigned>(each.number), xlen, "int", csr_feature});
  return made;
}

}  // namespace

hart_debug_target::hart_debug_target(const unit& core, rv::any_hart& hart, core_clock& clock,
                                     const bus_view& bus, host_window& host)
    : core_(core), hart_(hart), clock_(clock), bus_(bus), host_(host) {}

const std::string& hart_debug_target::debug_name() const {
  return core_.path();
}

std::string hart_debug_target::architecture() const {
  return fmt::format("riscv:rv{}", hart_.xlen());
}

const std::vector<debug_register>& hart_debug_target::debug_registers() const {
  static const std::vector<debug_register> narrow = make_registers(32), wide = make_registers(64);
  return hart_.xlen() == 32 ? narrow : wide;
}

unsigned hart_debug_target::general_registers() const {
  return pc_number + 1;
}

std::string hart_debug_target::debug_state() const {
  const std::string what = core_.waiting_for();
  const std::string time = "at " + format_duration(std::max(clock_.now(), now_fs()));
  return what.empty() ? time : time + ", waits for " + what;
}

bool hart_debug_target::read_register(unsigned number, std::uint64_t& value) {
  if (number >= first_csr) return hart_.read_csr(number - first_csr, value);
  if (number >= first_float) {
    value = hart_.float_reg(number - first_float);
    return true;
  }
  value = number == pc_number ? hart_.current_pc() : hart_.reg(number);
  return true;
}

// In the middle of an access the core cannot be sent elsewhere.
bool hart_debug_target::write_register(unsigned number, std::uint64_t value) {
  if (number >= first_csr) return hart_.write_csr(number - first_csr, value);
  if (number >= first_float) {
    hart_.set_float_reg(number - first_float, value);
    return true;
  }
  if (number < pc_number) {
    hart_.set_reg(number, value);
    return true;
  }
  if (hart_.is_calling()) return false;
  constexpr std::uint64_t alignment = 1;  // bit 0 of a pc is always 0
  hart_.set_pc(value & ~alignment);
  return true;
}

bool hart_debug_target::access_memory(tlm::tlm_command command, std::uint64_t address, void* data,
                                      std::uint64_t bytes) {
  return host_.holds(address) ? host_.debug_access(command, address, data, bytes)
                              : bus_.try_access(command, address, data, bytes);
}

bool hart_debug_target::read_memory(std::uint64_t address, void* to, std::uint64_t bytes) {
  return access_memory(tlm::TLM_READ_COMMAND, address, to, bytes);
}

// Registers of devices take a debugger's write as a poke of what they hold, and that is told.
bool hart_debug_target::write_memory(std::uint64_t address, const void* from, std::uint64_t bytes) {
  if (!access_memory(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes)) return false;
  if (const std::string name = bus_.register_name(address); !name.empty())
    spdlog::warn(
        "{}: a debugger has written {} B to {}: the bits are stored, the device does not act",
        core_.path(), bytes, name);
  return true;
}

void hart_debug_target::set_breakpoints(const std::vector<std::uint64_t>& addresses) {
  hart_.set_breakpoints(addresses);
}

void hart_debug_target::set_watches(const std::vector<debug_watch>& watches) {
  std::vector<rv::watched_range> ranges;
  for (const debug_watch& each : watches)
    ranges.push_back({each.address, each.bytes, each.loads, each.stores});
  hart_.set_watches(ranges);
}

void hart_debug_target::hold_behind(const debug_target* other) {
  if (behind_ && !other) released_.notify(sc_core::SC_ZERO_TIME);
  behind_ = other;
  if (other) executed_before_ = other->executed();
}

void hart_debug_target::wait_for_release() {
  while (behind_) sc_core::wait(released_);
  clock_.pass_until(now_fs());
}

debug_host* hart_debug_target::host() const {
  return core_.sim().service<debug_directory>().host;
}

void hart_debug_target::start() {
  if (host()) host()->starts(*this);
}

void hart_debug_target::stop(rv::stop_reason why) {
  if (!host()) return;
  wait_while_held();
  clock_.count_instructions();
  debug_stop stop{this, debug_stop::reason::step};
  if (why == rv::stop_reason::breakpoint) {
    stop.why = debug_stop::reason::breakpoint;
    stop.address = hart_.pc();
  }
  if (why == rv::stop_reason::watch) {
    const rv::watch_hit& hit = hart_.last_watch_hit();
    stop.why = debug_stop::reason::watch;
    stop.watch = {hit.range.address, hit.range.bytes, hit.range.loads, hit.range.stores};
    stop.address = hit.address;
  }
  host()->stops(stop);
}

}  // namespace heddle
