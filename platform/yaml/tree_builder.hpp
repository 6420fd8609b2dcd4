// Turns the events of the YAML library into our tree and refuses what our files do without:
// anchors, aliases, tags, merge keys, duplicate keys, keys that are not text. The library is also
// laxer than YAML in places; there the builder looks at the source text again.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/yaml/node.hpp"

namespace heddle {

struct yaml_style {
  // Where every node comes from when it is not read from a file.
  std::optional<source_place> fixed_place;
  // "{a: 1}" and "[1]" alone: what fits a command line.
  bool flow_only = false;
};

class yaml_tree_builder final : public YAML::EventHandler {
 public:
  // The text must outlive the builder.
  yaml_tree_builder(std::string_view text, const std::string& file, const yaml_style& style);

  // The document; null at the first line where it was empty.
  const yaml_node& root() const { return root_; }
  source_place place_of(const YAML::Mark& mark) const;
  // Whether the source continues like this at the mark.
  bool source_has(const YAML::Mark& mark, std::string_view expected) const;

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;
  void OnAnchor(const YAML::Mark& mark, const std::string& anchor_name) override;

 private:
  // A sequence or mapping whose end has not been read yet.
  struct open_collection {
    bool is_mapping;
    source_place place;
    std::vector<yaml_node> items;
    std::vector<yaml_entry> entries;
    std::map<std::string, source_place> key_places;
    std::optional<std::size_t> pending_key;  // where a key ends whose value has not been read
  };

  bool key_expected() const;
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const;
  // One past a scalar in the source, closing quote included; approximate for plain text of many
  // lines and for blocks.
  std::size_t end_of_scalar(const YAML::Mark& mark, const std::string& value) const;
  void refuse_key_without_colon(const YAML::Mark& value_mark) const;
  void open(const YAML::Mark& mark, bool is_mapping, YAML::EmitterStyle::value style);
  void add_key(const YAML::Mark& mark, const std::string& key, bool quoted, std::size_t end);
  void add_value(yaml_node value);

  std::string_view text_;
  shared_text file_;
  yaml_style style_;
  yaml_node root_;
  std::vector<open_collection> open_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace heddle
