// Markdown, as far as the reference of the netlist language and the generated tables use it, as
// HTML.
#pragma once

#include <string>

namespace heddle {

// Paragraphs, rows of cells between bars, lists, headings and fenced blocks; what stands between
// backticks is code. A heading "## Routing" becomes <h3 id="netlist-routing">, with one level more
// than it has signs, where the prefix is "netlist".
std::string markdown_html(const std::string& text, const std::string& prefix = "");

}  // namespace heddle
