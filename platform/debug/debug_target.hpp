// One core as a debugger sees it, and the debugger as a core sees it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

// As the architecture's chapter of gdb's manual names and groups them.
struct debug_register {
  std::string name;
  unsigned number = 0;
  int bits = 64;
  std::string type = "int";
  const char* feature = "";
};

struct debug_watch {
  std::uint64_t address = 0, bytes = 0;
  bool loads = false, stores = false;
};

class debug_target {
 public:
  virtual const std::string& debug_name() const = 0;  // "gpu[0].cp"
  virtual std::string debug_state() const = 0;        // a line for people
  virtual std::string architecture() const = 0;       // "riscv:rv64"
  // By feature, then by number; `general_registers` of them, from 0 on, are read together.
  virtual const std::vector<debug_register>& debug_registers() const = 0;
  virtual unsigned general_registers() const = 0;
  // False: there is none of that number, or it cannot be written now.
  virtual bool read_register(unsigned number, std::uint64_t& value) = 0;
  virtual bool write_register(unsigned number, std::uint64_t value) = 0;
  // As the core sees it, in no time. False where nobody answers.
  virtual bool read_memory(std::uint64_t address, void* to, std::uint64_t bytes) = 0;
  virtual bool write_memory(std::uint64_t address, const void* from, std::uint64_t bytes) = 0;
  // Memory has been written for this core or another one: what was decoded may be old.
  virtual void memory_changed() = 0;

  virtual void set_breakpoints(const std::vector<std::uint64_t>& addresses) = 0;
  virtual void set_watches(const std::vector<debug_watch>& watches) = 0;
  // Stops after the instruction under way, or else the next one.
  virtual void step() = 0;
  virtual void cancel_step() = 0;
  virtual std::uint64_t executed() const = 0;  // instructions so far
  // Executes nothing more after the quantum under way, once the other core has executed more than
  // one instruction: a debugger that steps over a breakpoint also lets one core go on alone, and
  // that is to change no time. nullptr lets the core go. Simulated time goes on meanwhile.
  virtual void hold_behind(const debug_target* other) = 0;
  // Shows the pc of the next instruction from now on, although the present one still waits.
  virtual void show_as_done() = 0;

 protected:
  ~debug_target() = default;
};

// Why a core has stopped.
struct debug_stop {
  enum class reason { signal, step, breakpoint, watch };
  debug_target* where = nullptr;
  reason why = reason::signal;
  int signal = 5;  // as gdb numbers them: SIGTRAP
  debug_watch watch{};
  std::uint64_t address = 0;  // of the breakpoint, or the access that was watched
};

// Hears of what happens to cores. Simulated time stands still until these calls return.
class debug_host {
 public:
  virtual void starts(debug_target& core) = 0;  // before its first instruction
  virtual void stops(const debug_stop& stop) = 0;
  virtual void fails(debug_target& core) = 0;  // the run ends soon; where to look first

 protected:
  ~debug_host() = default;
};

// Every core of the run that can be debugged, in the order of the netlist.
struct debug_directory {
  std::vector<debug_target*> targets;
  debug_host* host = nullptr;  // nobody debugs
};

}  // namespace heddle
