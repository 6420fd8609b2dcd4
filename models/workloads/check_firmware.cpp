#include "models/workloads/check_firmware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/firmware/firmware_names.hpp"

namespace heddle {
namespace {

struct job_of_app {
  std::string_view app, kind;
};

constexpr std::array jobs_of_apps = {
    job_of_app{"collectives", "collective"},  job_of_app{"gather", "gather"},
    job_of_app{"inference", "inference"},     job_of_app{"mesh_collectives", "collective"},
    job_of_app{"mesh_kernels", "collective"}, job_of_app{"mesh_kernels", "gemm"},
    job_of_app{"moe_layer", "moe_layer"},
};

// By comma; empty: the app is none of those that come with Heddle.
std::string kinds_of(std::string_view app) {
  std::string kinds;
  for (const job_of_app& each : jobs_of_apps)
    if (each.app == app) kinds += fmt::format("{}`{}`", kinds.empty() ? "" : ", ", each.kind);
  return kinds;
}

bool does(std::string_view app, std::string_view kind) {
  return std::any_of(jobs_of_apps.begin(), jobs_of_apps.end(),
                     [&](const job_of_app& each) { return each.app == app && each.kind == kind; });
}

}  // namespace

void check_firmware(const workload_context& context, std::string_view kind) {
  const auto& names = context.sim.service<firmware_names>().by_core;
  for (const rank_core* each : context.cores.ranks) {
    const auto found = names.find(each);
    if (found == names.end() || does(found->second, kind)) continue;
    if (const std::string kinds = kinds_of(found->second); !kinds.empty())
      throw user_error(
          context.settings.place,
          fmt::format("{} runs the firmware '{}', which does jobs of the kind {} and no `{}`",
                      each->rank_path(), found->second, kinds, kind));
  }
}

}  // namespace heddle
