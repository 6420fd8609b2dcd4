// Compares what lies in the memories of ranks with what must lie there, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "platform/tensor/compare.hpp"
#include "platform/tensor/dtype.hpp"
#include "platform/tensor/rank_tensors.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// Part of a rank's tensor that a job defines, and its bits. Nothing is compared where it is empty.
struct expected_part {
  expected_part() = default;
  // The bits outlive this.
  expected_part(std::size_t first, std::size_t elements, const std::byte* kept_bits)
      : begin(first), count(elements), kept(kept_bits) {}
  expected_part(std::size_t first, std::size_t elements, tensor_bytes own_bits)
      : begin(first), count(elements), own(std::move(own_bits)) {}

  const std::byte* bits() const { return kept ? kept : own.data(); }

  std::size_t begin = 0;  // element
  std::size_t count = 0;
  const std::byte* kept = nullptr;
  tensor_bytes own;
};

struct expected_tensor {
  std::string what;  // for messages: "allreduce of 1024 B"
  dtype type = dtype::fp16;
  std::uint64_t data = 0;  // offset of the tensor in every window
  std::function<expected_part(std::size_t rank)> for_rank;
  // Of rank 0's whole tensor, in float64: `count` elements from `begin` on. null: there is none.
  std::function<void(std::size_t begin, std::size_t count, double* values)> reference;
};

struct rank_comparison {
  verdict outcome = verdict::not_checked;  // where every part is empty
  std::uint64_t max_ulp = 0;
  double relative_error = 0;  // of rank 0 against the reference
};

// Every difference is a failure of the run (run_control::fail).
rank_comparison compare_ranks(const workload_context& context, const expected_tensor& expected);

}  // namespace heddle
