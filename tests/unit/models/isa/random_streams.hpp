// A random system around an in-switch accelerator, and random instructions on up to four streams.
// Every instruction of a stream is a round: its members arrive as soon as their flag has counted
// the round before.
#pragma once

#include <string>
#include <vector>

#include "tests/support/random_numbers.hpp"
#include "tests/unit/models/isa/isa_bench.hpp"

namespace heddle {

class random_streams {
 public:
  struct traffic {
    int from = 0, to = 0;
    std::uint64_t offset = 0;  // in the memory of `to`
    std::uint32_t packets = 0;
  };

  // `packets`: bounds what all members together send and receive, because that costs the time.
  random_streams(std::uint64_t seed, std::uint64_t packets, std::uint64_t longest);

  isa_bench_options options() const;
  std::vector<staged_instruction> instructions() const;
  std::vector<traffic> ordinary() const;
  member_mask members_of(int stream) const;
  std::uint64_t operator[](const std::string& name) const { return numbers_[name]; }
  std::string text() const;

  std::vector<random_streams> simpler() const;

 private:
  random_streams(const random_streams& limits, random_numbers numbers);
  member_mask mask(std::uint64_t stream, std::uint64_t round, std::uint64_t which) const;
  std::uint32_t length(std::uint64_t nth, const staged_instruction& of) const;

  random_numbers numbers_;
  std::uint64_t packets_, longest_;
};

}  // namespace heddle
