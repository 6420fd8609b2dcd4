// Workloads that share the devices of switches, drawn from a seed: the text of `workload:`.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace heddle {

class random_tenants {
 public:
  explicit random_tenants(unsigned seed) : random_(seed) {}

  // For trees.yaml: collectives by trees, each workload with a manager.
  std::string by_trees();
  // For accelerators.yaml: collectives by in-switch accelerators, each workload with a host.
  std::string by_accelerators();

 private:
  int pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  std::string one_of(const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size()) - 1))];
  }
  // Every GPU belongs to one of them; a multiple of so many to each.
  std::vector<std::vector<int>> deal(int gpus, int tenants, int multiple);
  // What both have: who takes part, when, and which data; sizes are multiples of so many bytes.
  std::string common(const std::string& setup, const std::vector<int>& ranks, int multiple);
  std::string sizes(int multiple);

  std::mt19937 random_;
};

}  // namespace heddle
