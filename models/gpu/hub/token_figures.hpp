// What a token hub says of the layer that it ran last.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

// When a step of the layer began and ended on a GPU.
struct token_span {
  fs_t begin = fs_never, end = 0;
  void cover(fs_t when) {
    begin = std::min(begin, when);
    end = std::max(end, when);
  }
};
enum class token_step : std::uint8_t { dispatch, gemm1, gemm2, combine };
inline constexpr std::size_t token_steps = 4;
using token_spans = std::array<token_span, token_steps>;

// Bytes of vectors that a GPU has sent and received.
struct token_vectors {
  double dispatch_out = 0, dispatch_in = 0, combine_out = 0, combine_in = 0;
  double all() const { return dispatch_out + dispatch_in + combine_out + combine_in; }
  token_vectors& operator+=(const token_vectors& more) {
    dispatch_out += more.dispatch_out;
    dispatch_in += more.dispatch_in;
    combine_out += more.combine_out;
    combine_in += more.combine_in;
    return *this;
  }
  token_vectors operator-(const token_vectors& less) const {
    return {dispatch_out - less.dispatch_out, dispatch_in - less.dispatch_in,
            combine_out - less.combine_out, combine_in - less.combine_in};
  }
};

// What GEMM-1 reads of one tile of tokens, at the instant when it begins.
struct token_row_read {
  std::uint32_t expert = 0;                            // numbered over all GPUs
  const std::vector<std::uint32_t>* tokens = nullptr;  // numbered over all GPUs, by place
  const std::byte* vectors = nullptr;                  // one behind the other
};

}  // namespace heddle
