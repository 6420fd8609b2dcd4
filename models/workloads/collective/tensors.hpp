// Inputs of a job and what must come out of it.
#pragma once

#include <cstddef>
#include <vector>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "models/workloads/collective/golden/golden.hpp"
#include "platform/workload/rank_check.hpp"

namespace heddle {

struct job_inputs {
  std::vector<std::size_t> shape;
  std::size_t elements = 0;
  std::vector<tensor_bytes> by_rank;
};

// Seeded random tensors, or the .npy files of `config.input` (which then say the size).
job_inputs make_inputs(const collective_config& config, std::size_t ranks, std::uint64_t bytes,
                       std::uint64_t seed);

// Elements of a rank's tensor by the files of `config.input`, whose data are not read. Throws
// user_error where one of them is wrong.
std::size_t elements_of_input(const collective_config& config, std::size_t ranks);

// Of one group of ranks.
class expectation {
 public:
  // All of them outlive it.
  expectation(const collective_algorithm& algorithm, const collective_case& job,
              const job_inputs& inputs, std::size_t group);

  // By the rank's place in the group. Ranks that the collective leaves alone have an empty part.
  expected_part for_rank(std::size_t rank) const;
  // Whether the result of the group's first rank is a sum over all.
  bool is_whole_sum() const;
  // Then: that sum in float64, element by element.
  void exact_sum(std::size_t begin, std::size_t count, double* values) const;

 private:
  expected_part own_chunk(std::size_t rank) const;
  expected_part input_of(std::size_t rank) const;

  const collective_algorithm& algorithm_;
  const collective_case& job_;
  const std::size_t elements_;
  rank_inputs pointers_;  // by place in the group
  tensor_bytes common_;   // the same for all ranks
};

}  // namespace heddle
