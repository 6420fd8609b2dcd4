// Which algorithm did a collective of a run.
#pragma once

#include <cstddef>
#include <string>

#include "tests/support/heddle_run.hpp"

namespace heddle {

inline std::string algorithm_of(const heddle_run& run, std::size_t job = 0) {
  return run.stats()["collectives"].at(job)["algorithm"];
}

}  // namespace heddle
