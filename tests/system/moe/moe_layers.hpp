// Runs of yaml/moe_small.yaml, and what their results say of the layers.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/heddle_run.hpp"

namespace heddle {

inline const std::string netlist = project_file("yaml/moe_small.yaml");

inline nlohmann::json layers_of(const settings& values) {
  const heddle_run done(netlist, values);
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  return done.stats()["moe_layers"];
}

inline bool is_verified(const heddle_run& done) {
  if (!done.result().exited_with(0)) return false;
  const nlohmann::json stats = done.stats();
  const auto& layers = stats["moe_layers"];
  return !layers.empty() && std::all_of(layers.begin(), layers.end(), [](const auto& each) {
    return each["verdict"] == "verified";
  });
}

inline std::vector<double> times_of(const nlohmann::json& layers) {
  std::vector<double> times;
  for (const auto& each : layers) times.push_back(each["time_s"]);
  return times;
}

}  // namespace heddle
