// The message of the error that an action throws.
#pragma once

#include <exception>
#include <string>

template <typename Error = std::exception, typename Action>
std::string error_message(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}
