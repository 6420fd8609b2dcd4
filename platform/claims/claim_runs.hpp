// The runs behind claims, each in a process of its own; several cases may want the same one. What
// they leave stays in files until the object ends: a claim needs few figures of many.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <filesystem>
#include <future>
#include <map>
#include <string>
#include <vector>

#include "platform/claims/claim.hpp"
#include "platform/run/temporary_folder.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

class claim_runs {
 public:
  explicit claim_runs(std::size_t at_once);  // processes
  ~claim_runs();                             // waits for those that run; no other begins
  claim_runs(const claim_runs&) = delete;
  claim_runs& operator=(const claim_runs&) = delete;

  // Lets the runs behind a claim, or the figure of a case, begin after those that were asked for
  // before.
  void begin(const claim& of);
  void begin(const claim& of, const claim_case& one, const claim_sets& more = {});
  std::size_t begun() const { return begun_.size(); }

  // The figure of a case, all of whose runs have `more` set, too. Throws user_error where one of
  // them fails.
  double figure_of(const claim& of, const claim_case& one, const claim_sets& more = {});

  // The effective configuration of a run that figure_of has made.
  yaml_node configuration_of(const claim_run& run) const;

 private:
  using kept_results = std::shared_future<std::filesystem::path>;

  double result_of(const claim& of, const claim_run& run);
  // The folder with its stats.json and, of a netlist, config.yaml. The run begins if it has not
  // yet.
  const kept_results& results_of(const claim& of, const claim_run& run);

  temporary_folder folder_;
  std::map<std::vector<std::string>, kept_results> begun_;  // by arguments
  boost::asio::thread_pool workers_;
};

// The run of a point: of the variants of `best_of` the first.
claim_run first_run_of(const claim_case& one);

// As a person would type it: "heddle run scin_dgx8.yaml --set 'workload.bytes=64 MiB'".
std::string command_of(const claim_run& run);

}  // namespace heddle
