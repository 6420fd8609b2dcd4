#include "platform/unit/port.hpp"

#include "platform/unit/unit.hpp"

namespace heddle {

port::port(unit& owner, const std::string& name) : owner_(owner), name_(name) {
  owner.add_port(*this);
}

std::string port::path() const {
  return owner_.path() + "." + name();
}

}  // namespace heddle
