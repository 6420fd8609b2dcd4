// `heddle reproduce`: claims of the literature, and what the simulated systems do.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct reproduce_options {
  std::vector<std::string> globs = {"*"};
  bool shows_rows = false;
  std::string json, markdown, html;  // files to write, too; "": none
};

int reproduce_command(const reproduce_options& options);

}  // namespace heddle
