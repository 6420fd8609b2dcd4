// Parameters that have more to say of a unit than its type: in one line, for `heddle show`.
#pragma once

#include <string>

namespace heddle {

class self_describing {
 public:
  virtual std::string summary() const = 0;

 protected:
  ~self_describing() = default;
};

}  // namespace heddle
