#include "platform/yaml/node.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

bool is_same_place(const source_place& a, const source_place& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

}  // namespace

struct yaml_node::content {
  type kind = type::null;
  source_place place;
  bool quoted = false;
  std::string text;
  std::vector<yaml_node> items;
  std::vector<yaml_entry> entries;
};

yaml_node::yaml_node() {
  static const auto nothing = std::make_shared<const content>();
  content_ = nothing;
}

yaml_node::yaml_node(std::shared_ptr<const content> shared) : content_(std::move(shared)) {}

yaml_node yaml_node::null(const source_place& place) {
  auto fresh = std::make_shared<content>();
  fresh->place = place;
  return yaml_node(std::move(fresh));
}

yaml_node yaml_node::scalar(std::string text, bool quoted, const source_place& place) {
  auto fresh = std::make_shared<content>();
  fresh->kind = type::scalar;
  fresh->place = place;
  fresh->quoted = quoted;
  fresh->text = std::move(text);
  return yaml_node(std::move(fresh));
}

yaml_node yaml_node::sequence(std::vector<yaml_node> items, const source_place& place) {
  auto fresh = std::make_shared<content>();
  fresh->kind = type::sequence;
  fresh->place = place;
  fresh->items = std::move(items);
  return yaml_node(std::move(fresh));
}

yaml_node yaml_node::mapping(std::vector<yaml_entry> entries, const source_place& place) {
  auto fresh = std::make_shared<content>();
  fresh->kind = type::mapping;
  fresh->place = place;
  fresh->entries = std::move(entries);
  return yaml_node(std::move(fresh));
}

yaml_node::type yaml_node::kind() const {
  return content_->kind;
}
const std::string& yaml_node::text() const {
  return content_->text;
}
bool yaml_node::quoted() const {
  return content_->quoted;
}
const std::vector<yaml_node>& yaml_node::items() const {
  return content_->items;
}
const std::vector<yaml_entry>& yaml_node::entries() const {
  return content_->entries;
}
const source_place& yaml_node::place() const {
  return content_->place;
}

bool yaml_node::is_same(const yaml_node& other) const {
  if (content_ == other.content_) return true;
  const content &mine = *content_, &its = *other.content_;
  return mine.kind == its.kind && mine.quoted == its.quoted && mine.text == its.text &&
         is_same_place(mine.place, its.place) &&
         std::equal(mine.items.begin(), mine.items.end(), its.items.begin(), its.items.end(),
                    [](const yaml_node& a, const yaml_node& b) { return a.is_same(b); }) &&
         std::equal(mine.entries.begin(), mine.entries.end(), its.entries.begin(),
                    its.entries.end(), [](const yaml_entry& a, const yaml_entry& b) {
                      return a.key == b.key && is_same_place(a.key_place, b.key_place) &&
                             a.value.is_same(b.value);
                    });
}

const yaml_node* yaml_node::find(const std::string& key) const {
  for (const yaml_entry& entry : entries()) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::vector<std::string> yaml_node::keys() const {
  std::vector<std::string> names;
  for (const yaml_entry& entry : entries()) names.push_back(entry.key);
  return names;
}

const char* description(yaml_node::type kind) {
  switch (kind) {
    case yaml_node::type::null:
      return "nothing";
    case yaml_node::type::scalar:
      return "text";
    case yaml_node::type::sequence:
      return "a list";
    case yaml_node::type::mapping:
      return "a mapping";
  }
  return "nothing";
}

}  // namespace heddle
