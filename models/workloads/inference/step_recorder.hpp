// When the kernels of a step ran on each rank, and whether its layers repeat. Layers are alike, so
// once all ranks have taken the same times, to the femtosecond, for one layer after another, all
// further ones would take them too: then no more layers need be simulated than have begun. Two to
// four layers may also repeat together, where ranks come to an all-reduce in turns.
//
// That is decided when the last rank begins a layer. No rank can be further than in that layer,
// because its all-reduces need the last rank, so all of them can still be told to end with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "sw/kernels/inference_plan.h"

namespace heddle {

struct kernel_span {
  std::uint32_t list = 0, index = 0;  // enum inference_list, and within it
  fs_t begin = 0, end = 0;
};

class step_recorder {
 public:
  // may_stop: layers that repeat need not be simulated.
  step_recorder(std::size_t ranks, std::uint32_t layers, bool may_stop);

  // Returns whether all ranks have now begun the layer of that tag; then layers() may be lower than
  // it was.
  bool list_begins(std::size_t rank, std::uint32_t tag, fs_t when);
  void kernel_ended(std::size_t rank, std::uint32_t tag, std::uint32_t index, fs_t begin, fs_t end);
  void list_ended(std::size_t rank, std::uint32_t tag, fs_t when);

  std::uint32_t layers() const { return layers_; }    // to be simulated
  std::uint32_t counted() const { return counted_; }  // beside them, in whole cycles
  std::uint32_t cycle() const { return cycle_; }      // layers that repeat together
  fs_t cycle_time() const { return cycle_time_; }     // 0 where nothing is counted
  fs_t counted_time() const { return counted_ / cycle_ * cycle_time_; }
  // Time in kernels' lists, mean over the ranks, counted layers included.
  double compute_seconds() const;
  // Kernels of the layer that ran last, by rank, and when the last rank was done with it.
  const std::vector<std::vector<kernel_span>>& last_layer() const { return spans_; }
  fs_t last_layer_end() const { return last_layer_end_; }

 private:
  struct layer_begin {
    std::vector<fs_t> of_rank;
    std::size_t ranks = 0;  // that have begun it
  };
  bool repeats(std::uint32_t layer, std::uint32_t cycle) const;
  void stop_if_steady(std::uint32_t layer);

  const std::size_t ranks_;
  std::uint32_t layers_;
  const bool may_stop_;
  std::uint32_t counted_ = 0, cycle_ = 1;
  fs_t cycle_time_ = 0, last_layer_end_ = 0;
  std::vector<layer_begin> begins_;              // by layer
  std::vector<fs_t> list_begin_;                 // by rank: of the list under way
  std::vector<fs_t> compute_, layer_compute_;    // by rank; of the layer that ran last
  std::vector<std::vector<kernel_span>> spans_;  // by rank, likewise
};

}  // namespace heddle
