// What a netlist says of tensor-parallel inference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/collective/collective_config.hpp"
#include "models/workloads/inference/decoder_kernels.hpp"
#include "models/workloads/inference/decoder_model.hpp"

namespace heddle {

struct inference_config {
  decoder_model model;  // read in fit(), when the netlist's folder is known
  yaml_node model_node;
  weight_type type = weight_type::fp16;
  std::uint64_t batch = 1;
  std::uint64_t prefill = 512;     // tokens of each prompt
  std::uint64_t decode = 1;        // tokens decoded behind it, a step each
  std::vector<std::size_t> steps;  // that are jobs: 0 the prompt, else the decoded token, from 1 on
  std::string kernels;             // file of measured times; "": none
  bool simulates_all = false;      // layers, also where they repeat
  bool has_numerics = false;       // real vectors
  // Of the all-reduces: algorithms, protocol, quantization. An algorithm that quantizes does so in
  // prefill; decoding steps use the one without (SCIN 4.5).
  collective_config reduce;

  source_place place, model_place, kernels_place, prefill_place, numerics_place;

  decoder_step shape_of(std::size_t step) const {
    if (step == 0) return {batch, prefill, prefill};
    return {batch, 1, prefill + step};
  }
};

// Throws user_error.
inference_config read_inference(yaml_mapping& mapping, const workload_settings& settings);

// Algorithm of the all-reduces of a step, by the name that the netlist has.
std::string algorithm_of_step(const std::string& name, bool is_prefill);

}  // namespace heddle
