// Runs of yaml/mesh_tiles.yaml: a collective by an algorithm on a mesh of tiles.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/heddle_run.hpp"

namespace heddle {

inline heddle_run run_on_mesh(const std::string& collective, const std::string& algorithm,
                              const settings& more) {
  settings all = {{"workload.collective", collective}, {"workload.algorithm", algorithm}};
  all.insert(all.end(), more.begin(), more.end());
  return heddle_run(project_file("yaml/mesh_tiles.yaml"), all);
}

inline void check_verified_on_mesh(const std::string& collective, const std::string& algorithm,
                                   settings more) {
  more.emplace_back("monitors", "on");
  const heddle_run done = run_on_mesh(collective, algorithm, more);
  INFO(done.report());
  CHECK(done.is_verified());
}

}  // namespace heddle
