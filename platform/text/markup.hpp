// Text for HTML and XML: entities stand in place of the characters that would be markup.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

std::string markup_escaped(std::string_view text);   // & < > ": anywhere, also in attributes
std::string content_escaped(std::string_view text);  // & < >: between tags alone

// A row of a table in HTML, of cells that are markup already; "th" makes them headings.
std::string html_row(const std::vector<std::string>& cells, const char* element = "td");
std::string html_table(const std::vector<std::string>& heading, const std::string& rows);

}  // namespace heddle
