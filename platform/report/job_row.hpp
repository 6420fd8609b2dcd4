// A job's row of stats.json, as tables for people name it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle {

// "ring", or "ring (auto)" where `algorithm: auto` has chosen it.
inline std::string algorithm_label(const nlohmann::ordered_json& job) {
  const std::string name = job.value("algorithm", "");
  return job.contains("chosen_by") ? name + " (" + job["chosen_by"].get<std::string>() + ")" : name;
}

}  // namespace heddle
