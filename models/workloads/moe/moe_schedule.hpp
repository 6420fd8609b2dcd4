// How a mixture-of-experts layer is carried out: who copies the vectors, and which steps wait for
// which. DySHARP names its baselines without describing all of them (V-C); what each stands for
// here is said by its `meaning` and the fields below. All use the same wires and packets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

enum class moe_traffic : std::uint8_t {
  multicast,  // the switch copies a dispatched vector and adds combined ones, by a list of experts
  copies,     // a copy for each target GPU; expert GPUs add what they have and send it back
  everybody,  // every vector goes to all GPUs and is added over all of them (NVLS)
};

// When a step begins with a tile of tokens.
enum class moe_start : std::uint8_t {
  tile,   // as soon as what the tile needs is there
  stage,  // when the step before is done with all of the GPU's tokens
};

struct moe_schedule {
  std::string name;
  std::string meaning;
  moe_traffic traffic = moe_traffic::multicast;
  moe_start gemm1 = moe_start::tile;    // after dispatch
  moe_start gemm2 = moe_start::tile;    // after GEMM-1
  moe_start combine = moe_start::tile;  // after GEMM-2
  std::uint32_t chunks = 1;             // of the tokens, which go through the stages one by one
  bool keeps_sms = true;  // communication has SMs of its own; otherwise GEMMs have all
  // The backward pass of one micro-batch runs beside the forward pass of another one.
  bool overlaps_parts = false;
};

const std::vector<moe_schedule>& moe_schedules();
std::vector<std::string> moe_schedule_names();
const moe_schedule* find_moe_schedule(const std::string& name);  // nullptr: there is none

}  // namespace heddle
