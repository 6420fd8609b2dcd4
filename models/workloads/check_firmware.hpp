// Whether the firmware of ranks does what a workload asks for. Each app of sw/apps reads the jobs
// of its own kinds alone, and would take another job for one of these.
#pragma once

#include <string_view>

#include "platform/workload/workload_kind.hpp"

namespace heddle {

// Throws user_error where a rank runs an app that comes with Heddle and does no such jobs. What
// other firmware does is not known here.
void check_firmware(const workload_context& context, std::string_view kind);

}  // namespace heddle
