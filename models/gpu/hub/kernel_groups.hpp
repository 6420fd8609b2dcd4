// The groups of the persistent kernel where firmware plays them (DySHARP IV-C): what is ready and
// has not been asked for, and what has been asked for. Nothing is done twice, and no row before it
// was handed out.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/gpu/hub/token_figures.hpp"

namespace heddle {

class kernel_groups {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  void clear(bool are_firmware, std::uint32_t rows, std::uint32_t own_tokens) {
    are_firmware_ = are_firmware;
    rows_ = {};
    tokens_.clear();
    done_of_row_.assign(rows, 0);
    done_of_token_.assign(own_tokens, 0);
  }
  bool are_firmware() const { return are_firmware_; }

  // Rows, by step: GEMM-1 or GEMM-2.
  void row_ready(token_step step, std::uint32_t row) { rows_[index_of(step)].push_back(row); }
  std::uint32_t pop_row(token_step step) {
    const std::uint32_t row = pop(rows_[index_of(step)]);
    if (row != none) once(done_of_row_[row], handed_out(step));
    return row;
  }
  bool may_issue(token_step step, std::uint32_t row) {
    const bool is_known = row < done_of_row_.size() && (done_of_row_[row] & handed_out(step)) != 0;
    return is_known && once(done_of_row_[row], handed_out(step) << 1);
  }

  // Own tokens.
  void token_ready(std::uint32_t own) { tokens_.push_back(own); }
  std::uint32_t pop_token() { return pop(tokens_); }
  bool may_store(std::uint32_t own) { return once(done_of_token_[own], stored); }
  bool may_fetch(std::uint32_t own) { return once(done_of_token_[own], fetched); }

 private:
  static constexpr unsigned stored = 1, fetched = 2;  // of done_of_token_
  static std::size_t index_of(token_step step) { return step == token_step::gemm1 ? 0 : 1; }
  // Bits of done_of_row_: the row was handed out for the step; one bit higher, it was issued for
  // it.
  static unsigned handed_out(token_step step) { return step == token_step::gemm1 ? 1 : 4; }
  static bool once(std::uint8_t& done, unsigned bit) {
    const bool is_first = (done & bit) == 0;
    done = static_cast<std::uint8_t>(done | bit);
    return is_first;
  }
  static std::uint32_t pop(std::deque<std::uint32_t>& from) {
    if (from.empty()) return none;
    const std::uint32_t first = from.front();
    from.pop_front();
    return first;
  }

  bool are_firmware_ = false;
  std::array<std::deque<std::uint32_t>, 2> rows_;
  std::deque<std::uint32_t> tokens_;
  std::vector<std::uint8_t> done_of_row_, done_of_token_;
};

}  // namespace heddle
