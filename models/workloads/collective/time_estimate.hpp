// How long a collective takes by an algorithm, about: what the choice of `auto` goes by.
//
// Software is counted round by round: the ways of its messages, the work of cores for them, and
// what the busiest link carries, shared links of the fabric included. Hardware in the network is
// counted by the ways that it waits for and by what the ranks' links carry (hardware_time.hpp).
//
// Limitations: how many bytes a DMA engine may have under way is not counted, nor what other jobs
// and groups send at the same time; network interfaces are taken to be alike. Beyond 256 ranks the
// ways of some messages alone are looked at, and links as if no other ranks used them.
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
    double wires = 0;    // s, of the busiest link, or for answers
  };
  // What rounds of software have in common.
  struct software {
    bool is_acknowledged = false;
    double ways = 1;         // of a message
    std::uint64_t slot = 0;  // bytes of a piece
  };

  double of_software(const collective_algorithm& by, const collective_case& job) const;
  double of_hardware(const collective_algorithm& by, const collective_case& job) const;
  double of_pieces(const message_round& round, const round_cost& cost, const collective_case& job,
                   const software& how) const;
  double of_pipeline(const message_round& round, const round_cost& cost, const collective_case& job,
                     const software& how) const;
  round_cost cost_of(const message_round& round, const collective_case& job) const;
  double latency_of(const message_round& round, const collective_case& job) const;
  double longest_way(const collective_case& job) const;
  double busiest_link(const message_round& round, const collective_case& job) const;
  // Of tensors that links carry.
  double longest_of(const std::vector<double>& carried, const collective_case& job) const;
  double wire_bytes(double share, const collective_case& job) const;
  // s, for answers where few packets may be under way.
  double answers(const message_round& round, const collective_case& job, double latency) const;
  static double most_sent(const message_round& round, const collective_case& job);
  double busiest_rank(const message_round& round, const collective_case& job) const;
  // nullptr where ranks share a memory.
  const rank_path* path_of(const rank_message& sent, const collective_case& job) const;

  const collective_config& config_;
  const workload_cores& cores_;
  simulation& sim_;
  fabric& net_;
  rank_paths& paths_;
  const double bytes_of_payload_;  // on the wire for a byte of payload, its response included
  const std::uint64_t channels_;   // of the DMA engine that are used
};

}  // namespace heddle
