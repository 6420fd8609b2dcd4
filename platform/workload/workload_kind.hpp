// Kinds of work that a netlist may ask its cores for. A kind registers itself by name, as a unit
// does; the `workload:` of a netlist names it with `kind:`, or by a value of `collective:` that the
// kind claims. The platform runs the jobs and knows nothing else about them.
//
//   read      from the keys of the netlist                    workload_kind::read
//   fit       can these cores do that?                        workload::fit
//   prepare   one job: its size, algorithm and operands       workload::prepare
//   post      writes it into the memories                     workload_job::post
//   check     verified, failed or not_checked                 workload_job::check
//   describe  figures for stats.json, cells for the table     workload_job::describe
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/firmware/rank_core.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_result.hpp"
#include "platform/workload/workload_settings.hpp"

namespace heddle {

struct workload_cores {
  std::vector<rank_core*> ranks;
  std::vector<rank_core*> setup;  // have each job before the ranks do
};

// Which of the workloads this is that set up the same devices, and how many there are
// (tenancy.hpp).
struct tenancy {
  std::uint32_t number = 0, count = 1;
};

// What a workload works with. Outlives it.
struct workload_context {
  simulation& sim;
  workload_settings settings;
  workload_cores cores;
  std::string directory;  // of the run, for files that the workload writes
  tenancy tenant;
};

// The marks of a job, by rank.
struct job_times {
  std::vector<fs_t> starts, ends;
  fs_t first_start() const;
  fs_t last_start() const;
  fs_t last_end() const;
};

class workload_job {
 public:
  virtual ~workload_job() = default;

  // Writes the job and its operands into the memories of ranks and setup cores, without simulated
  // time. All of them are idle then. Throws user_error.
  virtual void post() = 0;
  // The setup cores have done their part, the ranks have not begun: the job may still change.
  // Throws user_error.
  virtual void after_set_up() {}
  // Compares what the memories hold with what they must; says what differs by run_control::fail.
  // not_checked where nothing can be compared. Called only where the netlist wants a check.
  virtual verdict check(const job_times& times) = 0;
  // Writes files that the netlist asks for into the run directory. Throws user_error.
  virtual void save() {}
  // Fills in what the kind says of the result; times and wires are there already. Also called as
  // the job starts, for its title: then all times are 0.
  virtual void describe(workload_result& result) const = 0;
  // Bytes of one rank's operands: short jobs are explained where the netlist leaves it open.
  virtual std::uint64_t bytes() const { return 0; }
  // Whether firmware still works on the results behind the end mark: then the check waits.
  virtual bool outlasts_its_marks() const { return false; }
};

class workload {
 public:
  virtual ~workload() = default;

  // Before anything is simulated: throws user_error, at the key that is wrong, where these cores
  // cannot do one of the jobs. The context stays valid as long as the workload is used.
  virtual void fit(const workload_context& context) = 0;
  virtual std::uint32_t jobs() const = 0;
  // Job `index` of jobs(); firmware knows it by the number, which differs from all others. Only
  // one job of a workload exists at a time. Throws user_error.
  virtual std::unique_ptr<workload_job> prepare(std::uint32_t index, std::uint32_t number) = 0;

  virtual std::vector<std::string> algorithms() const = 0;  // as results name them
  virtual std::string remark() const { return {}; }         // a line below the heading of the table
  virtual std::string note() const { return {}; }           // below the table; lines, or nothing
  // Bytes of all operands of its largest job. The simulator keeps them to check the results, and
  // the simulated memories hold as many. 0: unknown.
  virtual std::uint64_t operand_bytes() const { return 0; }
  // Sum of what workload_result::work will say; 0: unknown.
  virtual std::uint64_t expected_work() const { return 0; }
};

struct workload_kind {
  std::string name;                      // of `kind:`
  std::string meaning;                   // one line
  std::string array;                     // of stats.json
  std::vector<std::string> collectives;  // values of `collective:` that stand for the kind
  // Takes its own keys; those of workload_settings are taken already. Throws user_error.
  std::function<std::unique_ptr<workload>(yaml_mapping&, const workload_settings&)> read;
  // Of `heddle models KIND`: what its keys may be, in Markdown; may be empty.
  std::function<std::string()> reference = {};
  // Pairs of keys that exclude each other: one that --set gives replaces the netlist's other.
  std::vector<std::pair<std::string, std::string>> alternatives = {};
};

class workload_registry {
 public:
  static workload_registry& instance();
  void add(workload_kind kind);
  const workload_kind* find(const std::string& name) const;
  // Sorted by name: static initializers run in no order.
  const std::vector<workload_kind>& kinds() const { return kinds_; }
  // What the netlist says of its workloads, without the keys that --set has replaced by others.
  yaml_node without_replaced(const yaml_node& workloads) const;
  // The kind of a workload of the netlist. Throws user_error.
  const workload_kind& kind_of(yaml_mapping& mapping) const;

 private:
  std::vector<workload_kind> kinds_;
};

#define HEDDLE_REGISTER_WORKLOAD(identifier, ...)                      \
  [[maybe_unused]] static const bool identifier##_is_registered = [] { \
    ::heddle::workload_registry::instance().add(__VA_ARGS__);          \
    return true;                                                       \
  }()

}  // namespace heddle
