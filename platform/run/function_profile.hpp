// Where the time of firmware goes, function by function: `heddle run --profile`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

class simulation;

// A function of one core's program. Accesses, polls and sleep belong to the function that calls
// the HAL for them; they are part of its time.
struct function_row {
  std::string name;
  std::uint64_t calls = 0;                          // natively: of the HAL by the function
  fs_t self = 0;                                    // in the function itself
  fs_t total = 0;                                   // and in what it calls
  std::uint64_t self_cycles = 0, total_cycles = 0;  // 0 natively
  std::uint64_t accesses = 0;                       // to the bus
  fs_t access_time = 0;
  fs_t poll_time = 0;
  fs_t sleep_time = 0;  // in WFI, or waiting for a job
};

class profile_source {
 public:
  virtual const std::string& profile_path() const = 0;  // "gpu[0].cp"
  // Whether instructions are counted; else time passes in calls of the HAL alone, and a function's
  // total is its own time.
  virtual bool has_cycles() const = 0;
  virtual std::vector<function_row> profile() = 0;  // at the end of the run

 protected:
  ~profile_source() = default;
};

struct profile_directory {
  std::optional<std::string> wanted;  // glob over the paths of cores; none: nobody asks
  std::vector<profile_source*> sources;

  bool wants(const std::string& path) const;
};

// Once all units are built: user_error where the glob matches no core that runs firmware.
void check_profile(simulation& sim);
// Where a run leaves it, and how every such file begins.
inline std::string profile_in(const std::string& directory) {
  return directory + "/profile.json";
}
inline constexpr std::string_view profile_begin = "{\n \"cores\":";

// A table for each core, and DIRECTORY/profile.json with every function.
std::string write_profile(simulation& sim, const std::string& directory);

}  // namespace heddle
