#include <cstdio>

#include "platform/cli/commands.hpp"
#include "platform/report/report_page.hpp"

namespace heddle {

int report_command(const std::vector<std::string>& directories, const std::string& file) {
  const std::string written = file.empty() ? directories.front() + "/report.html" : file;
  write_report_page(directories, written);
  std::printf("report: %s\n", written.c_str());
  return 0;
}

}  // namespace heddle
