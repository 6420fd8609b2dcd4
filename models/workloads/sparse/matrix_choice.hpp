// The matrix that a command is about: its file, who shares its rows, and the scale of a stand-in.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "models/sparse/nonzero_source.hpp"

namespace heddle {

struct matrix_choice {
  std::string file, scale = "1";
  std::uint32_t nodes = 128;

  void declare(CLI::App& command);
  // All of them throw user_error.
  void check() const;        // the numbers alone
  std::string path() const;  // of the file that is meant
  std::shared_ptr<const nonzero_source> open() const;

 private:
  double factor() const;
};

}  // namespace heddle
