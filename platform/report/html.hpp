// Pieces of HTML.
#pragma once

#include <string>

namespace heddle {

// A figure for people and, as `path` and `value`, for whoever checks it. The path leads into
// stats.json, at `links` into links.csv, at `record` into report.json; "1:..." is of the second of
// several runs, "A / B" a quotient.
std::string html_figure(const std::string& path, double value, const std::string& shown);

// JSON inside a script element: no text of it may end the element.
std::string script_escaped(const std::string& json);

}  // namespace heddle
