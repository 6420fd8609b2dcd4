// One HTML file about one run or several side by side: it needs no network, and its text needs no
// JavaScript. The drawing is our own (platform/report/page): plain SVG and canvas.
#pragma once

#include <string>
#include <vector>

namespace heddle {

// Throws user_error where a directory is none of a run.
std::string report_page(const std::vector<std::string>& directories);

// page/report.css and page/report.js, linked in.
std::string report_style();
std::string report_script();

}  // namespace heddle
