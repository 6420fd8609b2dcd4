// The run-wide list of sites where time can go: units and wires by their paths.
#pragma once

#include <string>
#include <vector>

#include "platform/explain/cause.hpp"

namespace heddle {

class explanation {
 public:
  site_id add_site(std::string name) {
    names_.push_back(std::move(name));
    return static_cast<site_id>(names_.size() - 1);
  }
  const std::string& name_of(site_id site) const { return names_[site]; }

 private:
  std::vector<std::string> names_;
};

}  // namespace heddle
