#include "platform/yaml/tree_builder.hpp"

#include <fmt/format.h>

#include <utility>

#include "platform/yaml/limits.hpp"

namespace heddle {

yaml_tree_builder::yaml_tree_builder(std::string_view text, const std::string& file,
                                     const yaml_style& style)
    : text_(text),
      file_(file),
      style_(style),
      root_(yaml_node::null(style_.fixed_place.value_or(source_place{file_, 1, 1}))) {}

source_place yaml_tree_builder::place_of(const YAML::Mark& mark) const {
  if (style_.fixed_place) return *style_.fixed_place;
  if (mark.is_null()) return {file_, 0, 0};
  return {file_, mark.line + 1, mark.column + 1};  // the library counts from zero
}

bool yaml_tree_builder::source_has(const YAML::Mark& mark, std::string_view expected) const {
  const auto position = static_cast<std::size_t>(mark.pos);
  return mark.pos >= 0 && position < text_.size() &&
         text_.substr(position, expected.size()) == expected;
}

bool yaml_tree_builder::key_expected() const {
  return !open_.empty() && open_.back().is_mapping && !open_.back().pending_key;
}

void yaml_tree_builder::OnDocumentStart(const YAML::Mark& mark) {
  if (++documents_ == 1) return;
  throw user_error(place_of(mark), source_has(mark, "---") ? "a second document; one a file, please"
                                                           : "text after the end of the document");
}

void yaml_tree_builder::OnNull(const YAML::Mark& mark, YAML::anchor_t) {
  if (key_expected()) throw user_error(place_of(mark), "a key is missing before ':'");
  if (!open_.empty() && open_.back().is_mapping) refuse_key_without_colon(mark);
  // The library takes "[a, , b]" for "[a, ~, b]".
  if (!open_.empty() && !open_.back().is_mapping && source_has(mark, ",")) {
    throw user_error(place_of(mark), "a value is missing before ','");
  }
  // A lone "!" is a tag of nothing.
  refuse_tag(mark, "?");
  add_value(yaml_node::null(place_of(mark)));
}

void yaml_tree_builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t) {
  throw user_error(place_of(mark), "aliases (*name) are not supported");
}

void yaml_tree_builder::OnAnchor(const YAML::Mark& mark, const std::string& anchor_name) {
  throw user_error(place_of(mark), "anchors (&" + anchor_name + ") are not supported");
}

void yaml_tree_builder::refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
  // "?" and "!" are what the library says of plain and of quoted values without a tag, but "!" may
  // have been written as well.
  if ((tag == "?" || tag == "!") && !source_has(mark, "!")) return;
  throw user_error(place_of(mark), "tags (!name) are not supported");
}

void yaml_tree_builder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                                 const std::string& value) {
  refuse_tag(mark, tag);
  const bool quoted = tag == "!";
  const std::size_t end = end_of_scalar(mark, value);
  if (value.find('\0') != std::string::npos) {
    throw user_error(place_of(mark), "text that holds a zero byte");
  }
  if (key_expected()) {
    add_key(mark, value, quoted, end);
  } else {
    add_value(yaml_node::scalar(value, quoted, place_of(mark)));
  }
}

std::size_t yaml_tree_builder::end_of_scalar(const YAML::Mark& mark,
                                             const std::string& value) const {
  const auto begin = static_cast<std::size_t>(mark.pos);
  const bool is_single = source_has(mark, "'");
  if (!is_single && !source_has(mark, "\"")) return begin + value.size();
  for (std::size_t i = begin + 1; i < text_.size(); ++i) {
    const bool doubled = is_single && text_.substr(i, 2) == "''";
    const bool escaped = !is_single && text_[i] == '\\';
    if (doubled || escaped) {
      ++i;
    } else if (text_[i] == (is_single ? '\'' : '"')) {
      return i + 1;
    }
  }
  // The library ends quoted text at the end of the file if that ends in a line break.
  throw user_error(place_of(mark), "the closing quote is missing");
}

// The library takes "b" in a mapping for "b: ~".
void yaml_tree_builder::refuse_key_without_colon(const YAML::Mark& value_mark) const {
  const std::size_t key_end = *open_.back().pending_key;
  const auto value_begin = static_cast<std::size_t>(value_mark.pos);
  const bool has_colon =
      value_begin > key_end &&
      text_.substr(key_end, value_begin - key_end).find(':') != std::string_view::npos;
  if (has_colon) return;
  const yaml_entry& entry = open_.back().entries.back();
  throw user_error(entry.key_place, "expected ': ' after the key '" + entry.key + "'");
}

void yaml_tree_builder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                        YAML::anchor_t, YAML::EmitterStyle::value style) {
  refuse_tag(mark, tag);
  open(mark, false, style);
}

void yaml_tree_builder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                                   YAML::EmitterStyle::value style) {
  refuse_tag(mark, tag);
  open(mark, true, style);
}

void yaml_tree_builder::OnSequenceEnd() {
  open_collection closed = std::move(open_.back());
  open_.pop_back();
  add_value(yaml_node::sequence(std::move(closed.items), closed.place));
}

void yaml_tree_builder::OnMapEnd() {
  open_collection closed = std::move(open_.back());
  open_.pop_back();
  add_value(yaml_node::mapping(std::move(closed.entries), closed.place));
}

void yaml_tree_builder::open(const YAML::Mark& mark, bool is_mapping,
                             YAML::EmitterStyle::value style) {
  const source_place place = place_of(mark);
  if (key_expected()) {
    // The library also takes a list or mapping that never ends for a key.
    throw user_error(place, style == YAML::EmitterStyle::Flow
                                ? "a key must be text, or a closing bracket is missing"
                                : "a key must be text, not a list or mapping");
  }
  if (open_.size() >= yaml_depth_limit) {
    throw user_error(place, fmt::format("nested deeper than {} levels", yaml_depth_limit));
  }
  const bool broken_key = source_has(mark, "[") || source_has(mark, "{");
  if (style_.flow_only && !broken_key && style != YAML::EmitterStyle::Flow) {
    throw user_error(
        place, is_mapping ? "write a mapping as {key: value}" : "write a list as [first, second]");
  }
  open_.push_back({is_mapping, place, {}, {}, {}, {}});
}

void yaml_tree_builder::add_key(const YAML::Mark& mark, const std::string& key, bool quoted,
                                std::size_t end) {
  const source_place place = place_of(mark);
  if (key == "<<" && !quoted) throw user_error(place, "merge keys (<<) are not supported");
  open_collection& mapping = open_.back();
  const auto [first, fresh] = mapping.key_places.emplace(key, place);
  if (!fresh) {
    throw user_error(place, "duplicate key '" + key + "' (first at " + first->second.text() + ")");
  }
  mapping.entries.push_back({key, place, yaml_node()});
  mapping.pending_key = end;
}

void yaml_tree_builder::add_value(yaml_node value) {
  if (++nodes_ > yaml_node_limit) {
    throw user_error(value.place(), fmt::format("more than {} values", yaml_node_limit));
  }
  if (open_.empty()) {
    root_ = std::move(value);
  } else if (open_.back().is_mapping) {
    open_.back().entries.back().value = std::move(value);
    open_.back().pending_key.reset();
  } else {
    open_.back().items.push_back(std::move(value));
  }
}

}  // namespace heddle
