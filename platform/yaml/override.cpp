#include "platform/yaml/override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "platform/text/number.hpp"
#include "platform/text/suggest.hpp"
#include "platform/yaml/limits.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

const source_place set_place{"--set", 0, 0};

struct path_step {
  std::string key;                   // used when there is no index
  std::optional<std::size_t> index;  // into a list
  std::size_t begin;                 // in the path, without the separator
  std::size_t end;
};

[[noreturn]] void refuse(const std::string& message) {
  throw user_error(set_place, message);
}

path_step index_step(const std::string& path, std::size_t open) {
  const std::size_t close = path.find(']', open);
  if (close == std::string::npos) refuse("']' is missing in the path '" + path + "'");
  const std::string digits = path.substr(open + 1, close - open - 1);
  try {
    return {"", parse_unsigned(digits), open, close + 1};
  } catch (const quantity_error& error) {
    refuse("index [" + digits + "] in the path '" + path + "': " + error.what());
  }
}

std::vector<path_step> split(const std::string& path) {
  std::vector<path_step> steps;
  std::size_t at = 0;
  do {
    if (at > 0 && path[at] == '.') ++at;
    const std::size_t end = std::min(path.find_first_of(".[]", at), path.size());
    if (end == at) refuse("a key is missing in the path '" + path + "'");
    steps.push_back({path.substr(at, end - at), std::nullopt, at, end});
    for (at = end; at < path.size() && path[at] == '['; at = steps.back().end) {
      steps.push_back(index_step(path, at));
    }
    if (at < path.size() && path[at] != '.')
      refuse("expected '.' or '[' in the path '" + path + "'");
  } while (at < path.size());
  // A tree as deep as the reader allows cannot be deepened by a path.
  if (steps.size() > yaml_depth_limit)
    refuse("the path '" + path.substr(0, 60) + "...' is too long");
  return steps;
}

class replacement {
 public:
  // A null value takes the path away. Both arguments outlive the replacement.
  replacement(const std::string& path, const yaml_node* value)
      : path_(path), steps_(split(path)), value_(value) {}

  yaml_node apply(const yaml_node& node, std::size_t depth = 0) const {
    if (depth == steps_.size()) return *value_;
    return steps_[depth].index ? in_list(node, depth) : in_mapping(node, depth);
  }

 private:
  // What the path names before this step, for messages.
  std::string parent(std::size_t depth) const {
    return depth == 0 ? "the top level" : "'" + path_.substr(0, steps_[depth - 1].end) + "'";
  }

  bool takes_away(std::size_t depth) const { return !value_ && depth + 1 == steps_.size(); }

  yaml_node in_list(const yaml_node& node, std::size_t depth) const {
    if (!node.is_sequence()) {
      refuse(fmt::format("{} is {}, not a list", parent(depth), description(node.kind())));
    }
    const std::size_t index = *steps_[depth].index;
    std::vector<yaml_node> items = node.items();
    if (index >= items.size()) {
      refuse(fmt::format("no index [{}] in {}, a list of {}", index, parent(depth), items.size()));
    }
    if (takes_away(depth))
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
    else
      items[index] = apply(items[index], depth + 1);
    return yaml_node::sequence(std::move(items), node.place());
  }

  yaml_node in_mapping(const yaml_node& node, std::size_t depth) const {
    const std::string& key = steps_[depth].key;
    if (!node.is_mapping()) {
      refuse(fmt::format("{} is {}, not a mapping", parent(depth), description(node.kind())));
    }
    std::vector<yaml_entry> entries = node.entries();
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const yaml_entry& entry) { return entry.key == key; });
    if (found != entries.end()) {
      if (takes_away(depth))
        entries.erase(found);
      else
        found->value = apply(found->value, depth + 1);
      return yaml_node::mapping(std::move(entries), node.place());
    }
    if (depth + 1 < steps_.size() || !value_) {
      refuse("no key '" + key + "' in " + parent(depth) + did_you_mean(key, node.keys()));
    }
    entries.push_back({key, value_->place(), *value_});
    return yaml_node::mapping(std::move(entries), node.place());
  }

  const std::string& path_;
  std::vector<path_step> steps_;
  const yaml_node* value_;
};

}  // namespace

yaml_node with_override(const yaml_node& root, const std::string& path,
                        const std::string& value_text) {
  const source_place place{"--set " + path, 0, 0};
  if (value_text.empty()) return replacement(path, nullptr).apply(root);
  const yaml_node value = parse_yaml_value(value_text, place);
  return replacement(path, &value).apply(root);
}

}  // namespace heddle
