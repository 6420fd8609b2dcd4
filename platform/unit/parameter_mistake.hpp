// A mistake in the value of one parameter. Units throw it without a place; whoever builds them from
// a netlist knows where the value was given.
#pragma once

#include <string>
#include <utility>

#include "platform/text/diagnostic.hpp"

namespace heddle {

class parameter_mistake final : public user_error {
 public:
  parameter_mistake(std::string parameter, const std::string& message)
      : user_error(message), parameter_(std::move(parameter)) {}

  const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

// What the action refuses is a mistake in that parameter.
template <class Action>
decltype(auto) on_behalf_of(const char* parameter, Action&& action) {
  try {
    return action();
  } catch (const user_error& error) {
    throw parameter_mistake(parameter, error.what());
  }
}

}  // namespace heddle
