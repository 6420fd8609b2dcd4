// Real vectors of a row: GEMM-1 reads them from memory when it begins, and GEMM-2 leaves there
// what the expert makes of them. Without real vectors nobody asks for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/token_tracker.hpp"

namespace heddle {

class expert_rows final : private hub_part {
 public:
  expert_rows(hub_core& core, const token_tracker& tracker) : hub_part(core), tracker_(tracker) {}

  void clear() { at_work_.clear(); }
  // Is told of every row that is read.
  void watch(std::function<void(const token_row_read&)> told) { told_ = std::move(told); }

  void read(std::uint32_t row);
  // False: memory has refused something of it, and its tokens may not go back.
  bool write(std::uint32_t row);

 private:
  bool multiply(std::uint32_t row, const std::vector<std::byte>& inputs,
                std::vector<std::byte>& outputs);

  const token_tracker& tracker_;
  std::function<void(const token_row_read&)> told_;
  std::unordered_map<std::uint32_t, std::vector<std::byte>> at_work_;  // what GEMM-1 has read
};

}  // namespace heddle
