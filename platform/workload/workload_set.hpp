// All workloads of a netlist: `workload:` is one of them, or a list. Workloads with the same cores
// run one after the other, in the order of the netlist; those without a common core run at once.
// Firmware knows one group of ranks, so two groups that share a core but differ are refused.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/workload/workload_runner.hpp"

namespace heddle {

class workload_set {
 public:
  // Picks the ranks of each workload among the cores of the simulation; throws user_error where a
  // workload does not fit them.
  workload_set(simulation& sim, const yaml_node& node, const std::string& run_directory);

  const std::vector<std::unique_ptr<workload_runner>>& runners() const { return runners_; }
  std::size_t jobs() const;  // so many results, when all is done
  // In the order of the netlist, the jobs of a workload in the order in which they ran.
  std::vector<workload_result> results() const;
  std::size_t done() const;             // so many results are there
  std::uint64_t expected_work() const;  // sum of workload_result::work; 0 where unknown
  std::string note() const;

 private:
  // What the netlist says of a workload.
  struct reading {
    const workload_kind& kind;
    workload_settings settings;
    std::unique_ptr<workload> what;
    workload_cores cores;
  };

  reading read(const yaml_node& node, const std::string& default_name) const;
  void add(reading said, const tenancy& tenant, const std::string& run_directory);
  void check_name(const workload_settings& added) const;
  void order(workload_runner& added) const;
  void finish();

  simulation& sim_;
  std::vector<std::unique_ptr<workload_runner>> runners_;
  std::uint32_t numbered_ = 0;
  std::size_t finished_ = 0;
};

}  // namespace heddle
