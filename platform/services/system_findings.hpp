// What a layer above the platform finds out about a system as a whole, besides mistakes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace heddle {

struct system_findings {
  // Known before a run: probably not meant. Checks and runs tell them and go on.
  std::vector<std::string> warnings;
  // Known before a run, and told by checks alone.
  std::vector<std::string> remarks;
  // Asked when a run has failed or hangs: why nothing can move any more, "" if that is not so. The
  // answer is told before what else has failed, because it is the reason.
  std::vector<std::function<std::string()>> standstills;
  // Asked at the end of a run.
  std::vector<std::function<std::vector<std::string>()>> afterwards;
};

}  // namespace heddle
