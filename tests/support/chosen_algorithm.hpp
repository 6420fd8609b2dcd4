// Which algorithm did a collective of a run.
#pragma once

#include <cstddef>
#include <string>

#include "tests/support/heddle_run.hpp"

namespace heddle {

inline std::string algorithm_of(const heddle_run& run, std::size_t job = 0) {
  return run.stats()["collectives"].at(job)["algorithm"];
}

// What `algorithm: auto` takes, by a run that is verified.
inline std::string chosen_by_auto(const char* file, settings values) {
  values.insert(values.end(), {{"workload.algorithm", "auto"}, {"workload.explain", "off"}});
  const heddle_run run(project_file(file), values);
  INFO(run.report());
  REQUIRE(run.is_verified());
  return algorithm_of(run);
}

}  // namespace heddle
