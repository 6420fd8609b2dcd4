#include "platform/yaml/mapping.hpp"

#include <algorithm>
#include <utility>

#include "platform/text/suggest.hpp"

namespace heddle {

yaml_mapping::yaml_mapping(yaml_node node, std::string what)
    : node_(std::move(node)), what_(std::move(what)) {
  if (node_.is_mapping()) return;
  throw user_error(node_.place(), what_ + " must be a mapping, got " + description(node_.kind()) +
                                      (node_.is_null() ? " (write {} for an empty one)" : ""));
}

const yaml_node* yaml_mapping::ask(const std::string& key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
  return node_.find(key);
}

yaml_node yaml_mapping::required(const std::string& key) {
  const yaml_node* const value = ask(key);
  if (value != nullptr) return *value;
  std::vector<std::string> keys = node_.keys();  // perhaps it is there, mistyped
  const auto is_asked = [this](const std::string& each) {
    return std::find(asked_.begin(), asked_.end(), each) != asked_.end();
  };
  keys.erase(std::remove_if(keys.begin(), keys.end(), is_asked), keys.end());
  const std::string near = nearest(key, keys);
  throw user_error(node_.place(), "missing key '" + key + "' in " + what_ +
                                      (near.empty() ? "" : " (is '" + near + "' meant?)"));
}

std::optional<yaml_node> yaml_mapping::optional(const std::string& key) {
  const yaml_node* const value = ask(key);
  if (value == nullptr) return std::nullopt;
  return *value;
}

bool yaml_mapping::has(const std::string& key) {
  return ask(key) != nullptr;
}

void yaml_mapping::finish() const {
  for (const yaml_entry& entry : node_.entries()) {
    if (std::find(asked_.begin(), asked_.end(), entry.key) != asked_.end()) continue;
    throw user_error(entry.key_place, "unknown key '" + entry.key + "' in " + what_ +
                                          did_you_mean(entry.key, asked_));
  }
}

}  // namespace heddle
