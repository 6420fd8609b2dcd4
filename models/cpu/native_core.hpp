// A core that runs firmware natively: the C code is part of this process, its accesses are loosely
// timed transactions on the memory plane. Every HAL call costs `call_cost`, a load `access_cost` on
// top of what the target says; computation between calls costs nothing. Stores and atomics without
// a result are posted: each costs `store_cost`, and a fence waits until the last of them has
// arrived, also over the fabric.
//
// Among many cores one that polls a word sleeps until the word changes, where the target can tell
// (platform/poll) and nobody wants to see each access: times and counters are those of polling.
// Cores that go on in the same femtosecond may do so in another order than if they polled; so in
// systems of `most_that_poll` cores, where polls cost little, each is made, unless it takes less
// than `shortest_poll`.
//
// Limitations: a core that polls over the fabric keeps the wires busy, so it never counts as hung;
// one hardware thread; interrupts wake wait_for_interrupt() but run no handler.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/cpu/core_activity.hpp"
#include "models/cpu/core_bus.hpp"
#include "models/cpu/native_calls.hpp"
#include "models/cpu/poll_sleep.hpp"
#include "models/cpu/rank_parameters.hpp"
#include "models/cpu/repeated_reads.hpp"
#include "platform/contracts/access_origin.hpp"
#include "platform/firmware/firmware_core.hpp"
#include "platform/firmware/firmware_registry.hpp"
#include "platform/firmware/rank_core.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class native_guard;
class run_control;
struct native_fault;

struct native_core_parameters : rank_parameters {
  parameter<std::string> firmware{*this, "firmware", "",
                                  "app to run, or ./FILE of one built elsewhere (FILE.so); none: "
                                  "the core sleeps",
                                  "set by the netlist"};
  parameter<std::uint64_t> interrupts{*this,         "interrupts",      1,
                                      within(0, 64), "interrupt lines", "one device"};
  parameter<duration> call_cost{*this, "call_cost", 5_ns, "of each HAL call, before its access",
                                "about 10 instructions at 2 GHz"};
  parameter<duration> access_cost{*this, "access_cost", 20_ns,
                                  "of each access between core and bus, both ways",
                                  "on-chip interconnect, about 40 cycles at 2 GHz"};
  parameter<duration> store_cost{*this, "store_cost", 2_ns,
                                 "of each posted store, instead of access_cost",
                                 "into the store buffer, about 4 cycles at 2 GHz"};
  parameter<duration> instruction{*this, "instruction", 0_ns,
                                  "of each instruction that firmware says it spends between calls",
                                  "call_cost has them"};
  parameter<duration> quantum{*this, "quantum", 0_ns,
                              "how far the core may run ahead of simulated time",
                              "0: every access happens in its place"};
  parameter<byte_size> stack{*this,
                             "stack",
                             256_KiB,
                             within(64_KiB, 1_GiB),
                             "of the firmware; a guard page lies below it",
                             "SystemC's default of a thread"};
  parameter<std::uint64_t> compute_limit{
      *this,
      "compute_limit",
      30,
      within(0, 1000000),
      "seconds of CPU time in which no time passes for the core, after which firmware counts as an "
      "endless loop; 0: any",
      "firmware leaves computing to devices"};
};

struct native_core_counters : statistic_set {
  statistic reads{*this, "reads", quantity::count, "loads"};
  statistic writes{*this, "writes", quantity::count, "stores"};
  statistic polls{*this, "polls", quantity::count, "loads made while polling"};
  statistic poll_time{*this, "poll_time", quantity::time, "time spent polling"};
};

class native_core final : public unit,
                          public firmware_core,
                          public rank_core,
                          public access_initiator,
                          public interrupt_sink,
                          private call_watcher {
 public:
  using parameters = native_core_parameters;
  using counters = native_core_counters;
  static constexpr int most_that_poll = 64;
  static constexpr fs_t shortest_poll = fs_per_ns;
  static std::vector<port_description> port_descriptions();

  native_core(const unit_context& context, const parameters& p);
  ~native_core() override;

  fs_t access_cost() const { return access_cost_; }  // of a load
  fs_t launch_cost() const { return timing_.launch_cost; }
  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

  const std::string& rank_path() const override { return path(); }
  site_id rank_site() const override { return site(); }
  rank_resources resources() const override { return resources_; }
  void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) override;
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) override;

  const std::string& initiator_path() const override { return path(); }
  code_line line_at(const code_point& point) const override;

  std::uint64_t load(std::uint64_t address, unsigned bytes) override;
  void store(std::uint64_t address, std::uint64_t value, unsigned bytes) override;
  void fence() override;
  std::uint64_t atomic_add(std::uint64_t address, std::uint64_t addend) override;
  void post_add(std::uint64_t address, std::uint64_t addend) override;
  void spend_instructions(std::uint32_t count) override { pass(count * instruction_); }
  void wait_for_interrupt() override;
  bool is_interrupt_pending() override;
  int poll(const poll_request& request, std::uint64_t& last) override;
  std::uint64_t boot_address() override { return resources_.window; }
  std::uint32_t device_count(std::uint32_t block) const override { return devices().count(block); }
  std::uint64_t device(std::uint32_t block, std::uint32_t instance) override;
  std::uint32_t next_job() override;
  void mark(job_mark mark, std::uint32_t job) override;
  std::uint64_t time_ns() override;
  void log(const char* text, std::uint64_t value) override;
  [[noreturn]] void exit(int code) override;

 private:
  // The poll under way; text is made of it only if somebody asks.
  struct poll_record {
    const char* what = nullptr;
    std::uint64_t address = 0, value = 0;
    fs_t since = 0;
  };

  void run();
  void set_interrupt(int line, bool is_up) override;
  void post(tlm::tlm_generic_payload& payload);
  // The time up to now counts as `what` on the critical path.
  void spend(category what) { bus_.spend(what, local_time()); }
  fs_t local_time() const override { return now_fs() + ahead_; }
  void call_begins(std::uint64_t call_site) override { calls_->begin(call_site, local_time()); }
  void call_ends() override { calls_->end(local_time()); }
  void pass(fs_t cost);  // local time goes on; synchronizes beyond the quantum
  void synchronize();
  std::uint64_t observed_load(std::uint64_t address, unsigned bytes);
  std::uint64_t loaded(std::uint64_t address, unsigned bytes);
  // Returns how long the target takes, beyond the time that the core is ahead.
  fs_t access(tlm::tlm_generic_payload& payload, fs_t cost);
  [[noreturn]] void halt();

  // Polls (native_core_polls.cpp)
  cause begin_poll(const poll_request& request);
  bool sees_condition(const poll_request& request, std::uint64_t& last);
  void wait_for_next_look(const poll_request& request, std::uint64_t last);
  [[noreturn]] void fail_hung(std::uint64_t last);
  void end_poll(const cause& begun);
  void explain_poll(const cause& begun);
  bool sleeps_through_polls() const;
  void look_for_loop(std::uint64_t address, std::uint64_t value);
  std::string polled_text() const;

  // Faults (native_core_faults.cpp)
  [[noreturn]] void crash(const native_fault& fault);
  void report(const native_fault& fault);
  std::string place_of(const native_fault& fault) const;
  [[noreturn]] void refuse_misaligned(const tlm::tlm_generic_payload& payload,
                                      std::uint64_t address);
  [[noreturn]] void fault(const tlm::tlm_generic_payload& payload, fs_t when, bool is_told);
  [[noreturn]] void fail_call(const std::string& what);
  std::string at_line(const code_point& point) const;  // "" where it is unknown

  const std::string firmware_;
  firmware_registry::entry_point entry_ = nullptr;
  const rank_resources resources_;
  const rank_timing timing_;
  const fs_t call_cost_, access_cost_, store_cost_, instruction_, quantum_;
  native_core_counters counters_;
  core_activity activity_;
  core_bus bus_;
  tlm::tlm_generic_payload loading_, storing_;  // used again and again; what is stored is posted
  std::vector<std::unique_ptr<interrupt_input_port>> interrupt_ports_;
  std::uint64_t interrupts_up_ = 0;
  cause interrupt_why_;
  sc_core::sc_event interrupt_;
  fs_t ahead_ = 0;  // of simulated time
  run_control& control_;
  std::uint32_t job_;
  poll_record polled_;
  std::unique_ptr<native_calls> calls_;  // nullptr: nobody wants to know
  wire_watch wires_;                     // a poll is in vain while none of them carries anything
  poll_sleep sleep_;
  repeated_reads loop_;
  code_point waited_at_;               // for an interrupt, lastly
  std::uint64_t interrupts_seen_ = 0;  // up since that wait
  bool is_poll_under_way_ = false;     // the next access is one that the core woke for
  bool is_in_step_ = false;            // polls, and makes no access ahead of simulated time
  const std::unique_ptr<native_guard> guard_;
};

}  // namespace heddle
