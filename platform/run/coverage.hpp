// Which registers, values and states a run has touched: `heddle run --coverage FILE`.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

class output_file;
class simulation;

struct covered_share {
  std::uint64_t covered = 0, all = 0;
};

struct coverage_summary {
  covered_share registers;  // read or written
  covered_share values;     // of enumerated fields that firmware writes
  covered_share states;     // of enumerated fields that the hardware shows

  // "coverage: 12 of 40 registers (30.0 %), 3 of 9 values, 4 of 7 states"
  std::string text() const;
};

// Writes the report as JSON. The run must have been set up with covers_registers.
coverage_summary write_coverage(simulation& sim, output_file& out);

}  // namespace heddle
