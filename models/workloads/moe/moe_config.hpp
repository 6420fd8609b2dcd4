// What a netlist says of mixture-of-experts layers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/moe/expert_routing.hpp"
#include "models/workloads/moe/moe_pass.hpp"
#include "models/workloads/moe/moe_schedule.hpp"
#include "platform/workload/workload_settings.hpp"

namespace heddle {

struct moe_config {
  std::string model;  // "" where the netlist gives sizes alone
  moe_shape shape;    // gpus: as many as there are ranks
  std::vector<const moe_schedule*> schedules;
  routing_distribution routing;
  std::string routing_file;  // "": drawn
  moe_pass pass = moe_pass::forward;
  std::uint32_t context = 4096;  // tokens of each sequence in the cache, when decoding
  std::uint32_t tile = 128;      // tokens of a row
  bool has_gemms = false;        // real vectors are multiplied, else scaled
  bool keeps_order = false;  // switches add in the order of GPUs: results are compared bit for bit
  // SMs of dispatch, GEMM-1, GEMM-2 and combine where all are fused (DySHARP Fig 12b is silent on
  // the numbers), and those that software keeps busy with communication elsewhere (20 of 132:
  // DeepEP's default).
  std::array<std::uint32_t, 4> sms = {16, 50, 50, 16};
  std::uint32_t software_sms = 20;
  bool has_firmware_groups = false;  // firmware plays the groups of the kernel, else the hub
  std::uint32_t repeat = 1;

  source_place place, shape_place, tokens_place, routing_place, pass_place;
  source_place gated_place, dtype_place, sms_place;
};

// Throws user_error.
moe_config read_moe(yaml_mapping& mapping, const workload_settings& settings);

}  // namespace heddle
