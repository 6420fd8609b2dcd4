#include "models/gpu/hub/token_lists.hpp"

#include <algorithm>

namespace heddle {

bool token_lists::read() {
  lists_.resize(first_of(layer_.tokens));
  return memory_.debug(tlm::TLM_READ_COMMAND, layer_.lists, lists_.data(),
                       lists_.size() * sizeof(std::uint16_t));
}

bool token_lists::read(std::uint32_t own, std::uint64_t address, std::uint32_t count) {
  std::uint16_t* list = lists_.data() + first_of(own);
  list[0] = static_cast<std::uint16_t>(count);
  const std::uint64_t bytes = count * sizeof list[0];
  return memory_.debug(tlm::TLM_READ_COMMAND, address, list + 1, bytes) && check(own, of(own));
}

bool token_lists::check(std::uint32_t own, const token_list& list) const {
  const std::uint32_t token = layer_.first_token() + own;
  const std::uint32_t experts = layer_.gpus * layer_.experts_per_gpu;
  const auto refuse = [&](error reason, std::uint32_t about) {
    status_.fail(reason, token, about);
    return false;
  };
  if (list.count > layer_.topk) return refuse(error::COUNT, list.count);
  for (std::uint32_t i = 0; i < list.count; ++i) {
    if (list.experts[i] >= experts) return refuse(error::EXPERT, list.experts[i]);
    if (std::find(list.experts, list.experts + i, list.experts[i]) != list.experts + i)
      return refuse(error::DUPLICATE, list.experts[i]);
  }
  return true;
}

split_list token_lists::split(const token_list& list) const {
  split_list result;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const bool is_here = layer_.gpu_of_expert(list.experts[i]) == layer_.number;
    (is_here ? result.here : result.away).push_back(list.experts[i]);
  }
  return result;
}

std::uint32_t token_lists::gpus_of(const token_list& list) const {
  std::vector<bool> is_named(layer_.gpus);
  for (std::uint32_t i = 0; i < list.count; ++i)
    is_named[layer_.gpu_of_expert(list.experts[i])] = true;
  return static_cast<std::uint32_t>(std::count(is_named.begin(), is_named.end(), true));
}

}  // namespace heddle
