// What a unit can say about the time that a critical path spends in it.
#pragma once

#include <string>

#include "platform/explain/category.hpp"

namespace heddle {

class has_remedy {
 public:
  // A sentence that names the parameter which would shorten steps of that category, for what the
  // unit has done last. "": it knows none.
  virtual std::string remedy(category what) const = 0;

 protected:
  ~has_remedy() = default;
};

}  // namespace heddle
