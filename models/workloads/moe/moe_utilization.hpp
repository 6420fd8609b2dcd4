// moe_utilization_SCHEDULE.svg: how busy the links of all GPUs were over the time of a layer, by
// direction, and when its steps ran (DySHARP Fig 17 and 20). Time is that of the layer's row in
// stats.json: 0 is its `start_s`, the right end is its `time_s`.
#pragma once

#include <string>
#include <vector>

#include "models/gpu/hub/token_hub.hpp"

namespace heddle {

struct moe_utilization {
  std::string title;
  fs_t start = 0, end = 0;
  token_spans steps{};
  std::vector<double> sent, received;  // shares of the wires, intervals of equal length
};

// Of all GPUs together, in the layer that ran last.
token_spans spans_of(const std::vector<token_hub*>& hubs);

// Of the layer that ran last: from `start` to `end`, in so many intervals.
moe_utilization utilization_of(const std::vector<token_hub*>& hubs, fs_t start, fs_t end,
                               std::size_t intervals);

std::string utilization_plot(const moe_utilization& of);

}  // namespace heddle
