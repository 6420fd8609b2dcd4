// Pieces of HTML.
#pragma once

#include <string>

namespace heddle {

std::string html_escaped(const std::string& text);

// A figure of stats.json, for people and, as `path` and `value`, for whoever checks it.
std::string html_figure(const std::string& path, double value, const std::string& shown);

// JSON inside a script element: no text of it may end the element.
std::string script_escaped(const std::string& json);

}  // namespace heddle
