#include "platform/report/text_document.hpp"

#include <fmt/format.h>

#include <utility>

#include "platform/text/markup.hpp"

namespace heddle {
namespace {

constexpr const char* style =
    "body{font:15px/1.5 sans-serif;max-width:68em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:.6em 0}td,th{padding:.15em .7em;text-align:left;"
    "border-bottom:1px solid #ddd;vertical-align:top}h3{margin-top:2em}"
    "code{background:#f3f3f3;padding:.1em .3em;overflow-wrap:anywhere}";

// What Markdown would read as its own inside of a cell.
std::string markdown_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string markdown_row(const text_document::cells& cells) {
  std::string row = "|";
  for (const std::string& each : cells) row += " " + markdown_cell(each) + " |";
  return row + "\n";
}

std::string escaped_row(text_document::cells cells, const char* element) {
  for (std::string& each : cells) each = markup_escaped(each);
  return html_row(cells, element);
}

}  // namespace

void text_document::heading(int level, std::string text) {
  blocks_.push_back(heading_block{level, std::move(text)});
}

void text_document::paragraph(std::string text) {
  blocks_.push_back(paragraph_block{std::move(text)});
}

void text_document::code(std::string text) {
  blocks_.push_back(code_block{std::move(text)});
}

void text_document::table(cells heading, std::vector<cells> rows) {
  blocks_.push_back(table_block{std::move(heading), std::move(rows)});
}

std::string text_document::markdown() const {
  std::string out;
  for (const block& each : blocks_) {
    if (const auto* heading = std::get_if<heading_block>(&each)) {
      out += std::string(static_cast<std::size_t>(heading->level), '#') + " " + heading->text;
    } else if (const auto* paragraph = std::get_if<paragraph_block>(&each)) {
      out += paragraph->text;
    } else if (const auto* code = std::get_if<code_block>(&each)) {
      out += "`" + code->text + "`";
    } else if (const auto* table = std::get_if<table_block>(&each)) {
      out += markdown_row(table->heading) + "|";
      for (std::size_t i = 0; i < table->heading.size(); ++i) out += " --- |";
      out += "\n";
      for (const cells& row : table->rows) out += markdown_row(row);
      out.pop_back();
    }
    out += "\n\n";
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::string text_document::html(const std::string& title) const {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>" +
                    markup_escaped(title) + "</title>\n<style>" + style + "</style>\n";
  for (const block& each : blocks_) {
    if (const auto* heading = std::get_if<heading_block>(&each)) {
      out += fmt::format("<h{0}>{1}</h{0}>\n", heading->level, markup_escaped(heading->text));
    } else if (const auto* paragraph = std::get_if<paragraph_block>(&each)) {
      out += "<p>" + markup_escaped(paragraph->text) + "</p>\n";
    } else if (const auto* code = std::get_if<code_block>(&each)) {
      out += "<p><code>" + markup_escaped(code->text) + "</code></p>\n";
    } else if (const auto* table = std::get_if<table_block>(&each)) {
      out += "<table>\n" + escaped_row(table->heading, "th");
      for (const cells& row : table->rows) out += escaped_row(row, "td");
      out += "</table>\n";
    }
  }
  return out + "</html>\n";
}

}  // namespace heddle
