// An immutable YAML tree that knows where everything was written. Copies share the content.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/text/diagnostic.hpp"

namespace heddle {

struct yaml_entry;

class yaml_node final {
 public:
  enum class type { null, scalar, sequence, mapping };

  // Nothing, at an unknown place.
  yaml_node();
  static yaml_node null(const source_place& place);
  static yaml_node scalar(std::string text, bool quoted, const source_place& place);
  static yaml_node sequence(std::vector<yaml_node> items, const source_place& place);
  // The keys must differ; a reader of files checks that with better messages than this could.
  static yaml_node mapping(std::vector<yaml_entry> entries, const source_place& place);

  type kind() const;
  bool is_null() const { return kind() == type::null; }
  bool is_scalar() const { return kind() == type::scalar; }
  bool is_sequence() const { return kind() == type::sequence; }
  bool is_mapping() const { return kind() == type::mapping; }

  // Of a scalar; empty for others.
  const std::string& text() const;
  // Whether a scalar was written in quotes or as a block, so that "8" was meant as text.
  bool quoted() const;
  // Of a sequence; empty for others.
  const std::vector<yaml_node>& items() const;
  // Of a mapping, as written; empty for others.
  const std::vector<yaml_entry>& entries() const;
  // The value of a key of a mapping, or nullptr.
  const yaml_node* find(const std::string& key) const;
  std::vector<std::string> keys() const;

  // Whether the two say the same and were written in the same place: copies of one tree, or what
  // an expression was replaced with twice.
  bool is_same(const yaml_node& other) const;

  const source_place& place() const;
  // Where the value comes from: "netlist.yaml:3:14", "--set seed".
  std::string origin() const { return place().text(); }

 private:
  struct content;
  explicit yaml_node(std::shared_ptr<const content> shared);

  std::shared_ptr<const content> content_;
};

struct yaml_entry {
  std::string key;
  source_place key_place;
  yaml_node value;
};

// "nothing", "text", "a list" or "a mapping": for messages.
const char* description(yaml_node::type kind);

}  // namespace heddle
