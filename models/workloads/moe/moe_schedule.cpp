#include "models/workloads/moe/moe_schedule.hpp"

namespace heddle {

const std::vector<moe_schedule>& moe_schedules() {
  constexpr moe_start tile = moe_start::tile, stage = moe_start::stage;
  static const std::vector<moe_schedule> all = {
      {"dysharp", "dynamic multimem, and all four steps fused", moe_traffic::multicast, tile, tile,
       tile, 1},
      {"dysharp_basic", "dynamic multimem, one step after another", moe_traffic::multicast, stage,
       stage, stage, 1},
      {"dysharp_comet", "dynamic multimem, each GEMM fused with its transfer",
       moe_traffic::multicast, tile, stage, tile, 1},
      {"fusion", "all four steps fused, a copy a GPU", moe_traffic::copies, tile, tile, tile, 1},
      {"deepep", "a copy a GPU, one step after another", moe_traffic::copies, stage, stage, stage,
       1},
      {"fastermoe", "a copy a GPU, in four chunks of tokens that follow each other",
       moe_traffic::copies, stage, stage, stage, 4},
      {"tutel", "a copy a GPU, in two chunks of tokens that follow each other", moe_traffic::copies,
       stage, stage, stage, 2},
      {"comet", "a copy a GPU, each GEMM fused with its transfer", moe_traffic::copies, tile, stage,
       tile, 1},
      {"ccfuser", "a copy a GPU, moved by the SMs that multiply, each GEMM with its transfer",
       moe_traffic::copies, tile, stage, tile, 1, false},
      {"dualpipe",
       "as deepep, the backward pass of one micro-batch beside the forward pass of another",
       moe_traffic::copies, stage, stage, stage, 1, true, true},
      {"nvls", "all-gather and reduce-scatter by multicast and reduction of everything",
       moe_traffic::everybody, stage, stage, stage, 1},
  };
  return all;
}

std::vector<std::string> moe_schedule_names() {
  std::vector<std::string> names;
  for (const moe_schedule& each : moe_schedules()) names.push_back(each.name);
  return names;
}

const moe_schedule* find_moe_schedule(const std::string& name) {
  for (const moe_schedule& each : moe_schedules())
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace heddle
