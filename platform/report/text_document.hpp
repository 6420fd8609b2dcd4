// A page of headings, paragraphs and tables, written as Markdown or as HTML.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace heddle {

class text_document {
 public:
  using cells = std::vector<std::string>;

  void heading(int level, std::string text);
  void paragraph(std::string text);
  void code(std::string text);  // one line
  // Every row has as many cells as the heading.
  void table(cells heading, std::vector<cells> rows);

  std::string markdown() const;
  std::string html(const std::string& title) const;

 private:
  struct heading_block {
    int level;
    std::string text;
  };
  struct paragraph_block {
    std::string text;
  };
  struct code_block {
    std::string text;
  };
  struct table_block {
    cells heading;
    std::vector<cells> rows;
  };
  using block = std::variant<heading_block, paragraph_block, code_block, table_block>;

  std::vector<block> blocks_;
};

}  // namespace heddle
