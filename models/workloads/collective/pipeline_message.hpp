// How long the messages of a pipeline are in which ranks wait for acknowledgments.
#pragma once

#include <cstdint>

#include "platform/services/link_directory.hpp"

namespace heddle {

// Bytes, a multiple of 64. The wires are idle while an acknowledgment is on its way, message by
// message, and each step of the pipeline fills with one message: the square root of both balances
// the two. `weight` is what an experiment found for the algorithm.
std::uint64_t message_of_pipeline(std::uint64_t bytes, double bytes_per_second,
                                  const link_directory& net, double weight);

}  // namespace heddle
