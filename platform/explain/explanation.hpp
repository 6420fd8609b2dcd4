// The run-wide list of places where time can go: units and wires by their paths.
#pragma once

#include <string>
#include <vector>

#include "platform/explain/cause.hpp"

namespace heddle {

class explanation {
 public:
  place_id add_place(std::string name) {
    names_.push_back(std::move(name));
    return static_cast<place_id>(names_.size() - 1);
  }
  const std::string& name_of(place_id place) const { return names_[place]; }

 private:
  std::vector<std::string> names_;
};

}  // namespace heddle
