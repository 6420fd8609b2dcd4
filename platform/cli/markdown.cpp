#include "platform/cli/markdown.hpp"

#include <fmt/format.h>

#include <cctype>
#include <regex>
#include <sstream>

#include "platform/text/markup.hpp"
#include "platform/text/number.hpp"

namespace heddle {
namespace {

// "[text](#heading)" is a link to a heading of the same text; the prefix is that of its anchors.
std::string with_links(const std::string& text, const std::string& prefix) {
  static const std::regex link(R"(\[([^\]]+)\]\(#([^)]+)\))");
  return std::regex_replace(text, link, "<a href=\"#" + prefix + "$2\">$1</a>");
}

std::string inline_html(const std::string& text, const std::string& prefix) {
  std::string html;
  bool is_code = false;
  std::istringstream rest(text);
  for (std::string part; std::getline(rest, part, '`'); is_code = !is_code) {
    const std::string escaped = markup_escaped(part);
    html += is_code ? "<code>" + escaped + "</code>" : with_links(escaped, prefix);
  }
  return html;
}

// "Units, links, addresses": "units-links-addresses".
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      anchor += static_cast<char>(std::tolower(byte));
    else if (!anchor.empty() && anchor.back() != '-')
      anchor += '-';
  }
  return anchor;
}

class markdown_reader {
 public:
  explicit markdown_reader(const std::string& prefix)
      : prefix_(prefix.empty() ? "" : prefix + "-") {}

  std::string read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) take(line);
    end_block();
    return html_;
  }

 private:
  enum class block { none, table, list, fence };

  void take(const std::string& line) {
    const bool is_fence = line.rfind("```", 0) == 0;
    if (kind_ == block::fence) {
      if (is_fence)
        end_block();
      else
        body_ += markup_escaped(line) + "\n";
    } else if (is_fence) {
      begin(block::fence);
    } else if (!line.empty() && line[0] == '|') {
      begin(block::table);
      take_row(line.substr(1));
    } else if (line.rfind("- ", 0) == 0) {
      begin(block::list);
      body_ += "<li>" + inline_html(line.substr(2), prefix_) + "</li>\n";
    } else {
      end_block();
      take_text(line);
    }
  }

  void take_row(const std::string& cells) {
    if (cells.find_first_not_of("|-: ") == std::string::npos) return;  // below the heading
    const char* const element = body_.empty() ? "th" : "td";
    body_ += "<tr>";
    std::istringstream rest(cells);
    for (std::string cell; std::getline(rest, cell, '|');)
      body_ +=
          fmt::format("<{0}>{1}</{0}>", element, inline_html(std::string(trimmed(cell)), prefix_));
    body_ += "</tr>\n";
  }

  void take_text(const std::string& line) {
    const std::size_t signs = line.find_first_not_of('#');
    if (line.empty() || signs == std::string::npos) return;
    if (signs == 0) {
      html_ += "<p>" + inline_html(line, prefix_) + "</p>\n";
      return;
    }
    const std::string heading = line.substr(line.find_first_not_of(' ', signs));
    const std::string id = prefix_ + anchor_of(heading);
    html_ +=
        fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", signs + 1, id, inline_html(heading, prefix_));
  }

  void begin(block kind) {
    if (kind_ != kind) end_block();
    kind_ = kind;
  }

  void end_block() {
    if (!body_.empty() && kind_ == block::table) html_ += "<table>\n" + body_ + "</table>\n";
    if (!body_.empty() && kind_ == block::list) html_ += "<ul>\n" + body_ + "</ul>\n";
    if (!body_.empty() && kind_ == block::fence) html_ += "<pre><code>" + body_ + "</code></pre>\n";
    body_.clear();
    kind_ = block::none;
  }

  std::string prefix_, html_, body_;
  block kind_ = block::none;
};

}  // namespace

std::string markdown_html(const std::string& text, const std::string& prefix) {
  return markdown_reader(prefix).read(text);
}

}  // namespace heddle
