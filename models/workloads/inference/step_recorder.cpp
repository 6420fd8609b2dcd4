#include "models/workloads/inference/step_recorder.hpp"

#include <algorithm>

namespace heddle {
namespace {

struct tag_parts {
  std::uint32_t layer, list;
};
tag_parts parts_of(std::uint32_t tag) {
  return {tag / INFERENCE_LISTS, tag % INFERENCE_LISTS};
}

bool is_of_layer(std::uint32_t list) {
  return list == INFERENCE_ATTENTION || list == INFERENCE_MLP;
}

}  // namespace

step_recorder::step_recorder(std::size_t ranks, std::uint32_t layers, bool may_stop)
    : ranks_(ranks),
      layers_(layers),
      may_stop_(may_stop),
      begins_(layers),
      list_begin_(ranks),
      compute_(ranks),
      layer_compute_(ranks),
      spans_(ranks) {}

// The layer has begun everywhere. Each rank took the same times for the last so many layers as for
// those before them, and for one more, and all ranks together as long.
bool step_recorder::repeats(std::uint32_t layer, std::uint32_t cycle) const {
  const auto length = [&](std::uint32_t of, std::size_t rank) {
    return begins_[of + 1].of_rank[rank] - begins_[of].of_rank[rank];
  };
  const auto cycle_length = [&](std::size_t rank) {
    return begins_[layer].of_rank[rank] - begins_[layer - cycle].of_rank[rank];
  };
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    if (cycle_length(rank) != cycle_length(0)) return false;
    for (std::uint32_t back = 1; back <= cycle + 1; ++back)
      if (length(layer - back, rank) != length(layer - back - cycle, rank)) return false;
  }
  return true;
}

// What is left over when the further layers are counted in whole cycles is simulated.
void step_recorder::stop_if_steady(std::uint32_t layer) {
  constexpr std::uint32_t longest_cycle = 4;
  for (std::uint32_t cycle = 1; cycle <= longest_cycle && layer + cycle < layers_; ++cycle) {
    if (layer < 2 * cycle + 2 || !repeats(layer, cycle)) continue;
    const std::uint32_t further = layers_ - (layer + 1);
    cycle_ = cycle;
    cycle_time_ = begins_[layer].of_rank[0] - begins_[layer - cycle].of_rank[0];
    counted_ = further / cycle * cycle;
    layers_ -= counted_;
    return;
  }
}

bool step_recorder::list_begins(std::size_t rank, std::uint32_t tag, fs_t when) {
  const tag_parts parts = parts_of(tag);
  list_begin_[rank] = when;
  if (parts.list == INFERENCE_END) last_layer_end_ = std::max(last_layer_end_, when);
  if (parts.list != INFERENCE_ATTENTION) return false;
  spans_[rank].clear();
  layer_compute_[rank] = 0;
  layer_begin& begin = begins_[parts.layer];
  begin.of_rank.resize(ranks_);
  begin.of_rank[rank] = when;
  if (++begin.ranks < ranks_) return false;
  if (may_stop_ && counted_ == 0) stop_if_steady(parts.layer);
  return true;
}

void step_recorder::kernel_ended(std::size_t rank, std::uint32_t tag, std::uint32_t index,
                                 fs_t begin, fs_t end) {
  const std::uint32_t list = parts_of(tag).list;
  if (is_of_layer(list)) spans_[rank].push_back({list, index, begin, end});
}

void step_recorder::list_ended(std::size_t rank, std::uint32_t tag, fs_t when) {
  const fs_t time = when - list_begin_[rank];
  compute_[rank] += time;
  if (is_of_layer(parts_of(tag).list)) layer_compute_[rank] += time;
}

double step_recorder::compute_seconds() const {
  double sum = 0;
  for (std::size_t rank = 0; rank < ranks_; ++rank)
    sum += seconds(compute_[rank] + counted_ * layer_compute_[rank]);
  return sum / static_cast<double>(ranks_);
}

}  // namespace heddle
