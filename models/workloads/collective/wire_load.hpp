// What an algorithm puts on the links of each rank, and how fast those can carry it: the rate that
// no collective can beat, whoever does it. Each direction of a rank's links carries the data that
// goes its way and the responses to the data that goes the other way.
//
// Limitations: links between switches that carry more are not looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/services/link_directory.hpp"

namespace heddle {

struct collective_algorithm;
struct collective_case;
struct workload_cores;
class simulation;

// Tensors of one rank that leave a rank, and that reach it.
struct wire_load {
  double out = 0, in = 0;
};

// The links of the ranks of a job.
struct job_wires {
  std::vector<endpoint_wires> ranks;  // by rank; one without links has a rate of 0
  // The smallest among whoever makes packets for the job, ranks and devices in the network.
  double data = 1, response = 0;

  // Payload bytes per second that every rank can send, as long as it receives nothing; 0 without
  // links.
  double slowest() const;
  // Seconds for a byte of the tensor, of the busier direction of a rank's links.
  double seconds_of(std::size_t rank, const wire_load& load) const;
};

// `has_devices`: those in the network make packets, too.
job_wires wires_of(const workload_cores& cores, simulation& sim, bool has_devices);

// Bytes of one rank's tensor per second that the wires allow; 0: nobody has counted.
double ceiling_of(const collective_algorithm& by, const collective_case& of,
                  const workload_cores& cores, simulation& sim);

}  // namespace heddle
