// The bugs that are planted in the firmware of these tests, and what is said of each. A table lies
// beside the bugs of its device.
#pragma once

#include <vector>

namespace heddle {

struct planted_bug {
  int number;
  const char* says;  // part of the report
};

struct bug_file {
  const char* name;
  std::vector<planted_bug> bugs;
};

bug_file dma_bugs();
bug_file vector_bugs();
bug_file multimem_bugs();
bug_file isa_bugs();
bug_file gather_bugs();
bug_file mesh_bugs();
bug_file buffer_bugs();

// All of them.
const std::vector<bug_file>& planted_bugs();

}  // namespace heddle
