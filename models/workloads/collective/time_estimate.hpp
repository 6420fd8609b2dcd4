// How long a collective takes by an algorithm, about: what the choice of `auto` goes by.
//
// Software is counted round by round: the ways of its messages, the work of cores for them, and
// what the busiest link carries, shared links of the fabric included. Hardware in the network is
// counted by what the ranks' links carry.
//
// Limitations: how many bytes a DMA engine may have under way is not counted, nor what other jobs
// and groups send at the same time. A link that many share over several hops is taken to be busy
// all the time; messages of all to all reach less on large tori. Beyond 256 ranks the links of the
// ranks alone are looked at, and the ways of some messages.
#pragma once

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "models/workloads/collective/rank_paths.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

class time_estimate {
 public:
  time_estimate(const collective_config& config, const workload_cores& cores, simulation& sim);

  // Seconds; 0: nobody knows.
  double of(const collective_algorithm& by, const collective_case& job) const;

 private:
  struct round_cost {
    double latency = 0;  // s, from rank to rank, the mean over messages
    double wires = 0;    // s for a byte of the tensor, of the busiest link
  };

  double of_software(const collective_algorithm& by, const collective_case& job) const;
  double of_hardware(const collective_algorithm& by, const collective_case& job) const;
  round_cost cost_of(const message_round& round, const collective_case& job) const;
  double latency_of(const message_round& round, const collective_case& job) const;
  double busiest_link(const message_round& round, const collective_case& job) const;
  double busiest_rank(const message_round& round, const collective_case& job) const;
  // nullptr where ranks share a memory.
  const rank_path* path_of(const rank_message& sent, const collective_case& job) const;

  const collective_config& config_;
  const workload_cores& cores_;
  simulation& sim_;
  fabric& net_;
  rank_paths& paths_;
  const rank_wires wires_;
};

}  // namespace heddle
