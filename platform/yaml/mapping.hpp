// Strict reading of a mapping: whoever reads it asks for every key it knows, then calls finish(),
// which refuses the keys that nobody asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/yaml/node.hpp"
#include "platform/yaml/value.hpp"

namespace heddle {

class yaml_mapping final {
 public:
  // what names the thing in messages: "link", "unit 'gpu'". Throws if the node is no mapping.
  yaml_mapping(yaml_node node, std::string what);

  // Throws user_error at the mapping's place if the key is missing.
  yaml_node required(const std::string& key);
  std::optional<yaml_node> optional(const std::string& key);
  // Counts as asking.
  bool has(const std::string& key);
  // Throws user_error for the first unknown key, with a suggestion among those asked for.
  void finish() const;

  const yaml_node& node() const { return node_; }
  const std::string& what() const { return what_; }

 private:
  const yaml_node* ask(const std::string& key);

  yaml_node node_;
  std::string what_;
  std::vector<std::string> asked_;
};

}  // namespace heddle
