// Files that come with Heddle are named relative to its folder, wherever that is: "star8.yaml",
// "standins/queen.yaml".
#pragma once

#include <string>

namespace heddle {

// What is said behind the message about a file that is nowhere: " (did you mean
// 'standins/queen.yaml'?)" for the nearest that comes with Heddle, else "".
std::string shipped_file_hint(const std::string& name);

}  // namespace heddle
