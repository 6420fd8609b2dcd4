// What an algorithm puts on the links of each rank, and how fast those can carry it: the rate that
// no collective can beat, whoever does it. Each direction of a rank's links carries the data that
// goes its way and the responses to the data that goes the other way.
//
// Limitations: links between switches that carry more are not looked at.
#pragma once

namespace heddle {

struct collective_algorithm;
struct collective_case;
struct workload_cores;
class simulation;

// Tensors of one rank that leave a rank, and that reach it.
struct wire_load {
  double out = 0, in = 0;
};

// Payload bytes per second that every rank can send, as long as it receives nothing; 0 without
// links.
double payload_rate_of(const workload_cores& cores, simulation& sim);

// On the wire for a byte of payload, its response included, of ranks that send and receive as much.
double bytes_of_payload(const workload_cores& cores, simulation& sim);

// Bytes of one rank's tensor per second that the wires allow; 0: nobody has counted.
double ceiling_of(const collective_algorithm& by, const collective_case& of,
                  const workload_cores& cores, simulation& sim);

// Bytes of one rank's tensor per second that hardware in the network reaches about: over the links
// to its switches alone, with its own packets, for one rank after the other where it has turns. 0:
// nobody knows.
double rate_of_hardware(const collective_algorithm& by, const collective_case& of,
                        const workload_cores& cores, simulation& sim);

}  // namespace heddle
