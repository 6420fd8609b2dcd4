// What a command line chooses by globs: benchmarks, claims. Their names have parts:
// "nvls.hw.algbw".
#pragma once

#include <string>
#include <vector>

namespace heddle {

bool matches_any(const std::vector<std::string>& globs, const std::string& name);

// Each glob has to match a name. Throws user_error: "no claim matches 'nvs.*' (did you mean ...)",
// or how names begin where none is near.
void require_matches(const std::string& kind, const std::vector<std::string>& globs,
                     const std::vector<std::string>& names);

}  // namespace heddle
