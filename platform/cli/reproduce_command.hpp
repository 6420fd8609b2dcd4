// `heddle reproduce`: claims of the literature, and what the simulated systems do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle {

struct reproduce_options {
  std::vector<std::string> globs = {"*"};
  bool shows_rows = false;
  std::size_t jobs = 1;              // runs at a time
  std::string json, markdown, html;  // files to write, too; "": none
};

int reproduce_command(const reproduce_options& options);

}  // namespace heddle
