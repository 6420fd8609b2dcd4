// inference_ALGORITHM_prefill.svg, inference_ALGORITHM_decode.svg: the kernels of a layer on each
// rank, and the all-reduces that they wait for between them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/workloads/inference/step_recorder.hpp"

namespace heddle {

struct step_timeline {
  std::string title;
  std::array<std::vector<std::string>, INFERENCE_LISTS> names;  // of kernels, by list
  std::vector<std::vector<kernel_span>> ranks;
  fs_t end = 0;  // of the layer, where its last all-reduce ends; 0: unknown
};

std::string timeline_plot(const step_timeline& of);

}  // namespace heddle
