#include "platform/trace/vcd_header.hpp"

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "platform/text/diagnostic.hpp"
#include "platform/trace/vcd_name.hpp"

namespace heddle {

namespace {

// Scopes stay in the order of their first signal, so that gpu[10] comes after gpu[9].
struct scope {
  std::string name;
  std::vector<scope*> children;
  std::unordered_map<std::string, scope*> child_of_name;
  std::unordered_map<std::string, std::uint32_t> signal_of_name;
  std::vector<std::uint32_t> signals;
};

class scope_tree {
 public:
  scope_tree() { scopes_.emplace_back(); }

  scope& root() { return scopes_.front(); }

  scope& at(const std::string& path) {
    scope* found = &root();
    for (const std::string& name : vcd_scopes(path)) found = child(*found, name);
    return *found;
  }

 private:
  scope* child(scope& parent, const std::string& name) {
    const auto [found, added] = parent.child_of_name.try_emplace(name, nullptr);
    if (added) {
      found->second = &scopes_.emplace_back();
      found->second->name = name;
      parent.children.push_back(found->second);
    }
    return found->second;
  }

  std::deque<scope> scopes_;
};

std::string type_and_width(const trace_declaration& declaration) {
  switch (declaration.kind) {
    case trace_kind::bit:
      return "wire 1";
    case trace_kind::vector:
      return "wire " + std::to_string(declaration.width);
    case trace_kind::integer:
      return "integer 64";
    case trace_kind::real:
      return "real 64";
    case trace_kind::state:
    case trace_kind::text:
      return "string 1";
  }
  return {};
}

void write_scope(const scope& written, const std::vector<trace_declaration>& signals,
                 std::string& header) {
  for (std::uint32_t index : written.signals) {
    header.append("$var ").append(type_and_width(signals[index])).append(" ");
    header.append(vcd_identifier(index)).append(" ").append(vcd_leaf(signals[index].leaf));
    header.append(" $end\n");
  }
  for (const scope* child : written.children) {
    header.append("$scope module ").append(child->name).append(" $end\n");
    write_scope(*child, signals, header);
    header.append("$upscope $end\n");
  }
}

}  // namespace

std::string vcd_header(const std::vector<trace_declaration>& signals) {
  scope_tree tree;
  for (std::uint32_t index = 0; index < signals.size(); ++index) {
    const trace_declaration& signal = signals[index];
    scope& found = tree.at(signal.path);
    const auto [first, added] = found.signal_of_name.try_emplace(vcd_leaf(signal.leaf), index);
    if (!added) {
      throw user_error("signals '" + signals[first->second].name() + "' and '" + signal.name() +
                       "' have the same name in a VCD file; rename one of the units");
    }
    found.signals.push_back(index);
  }
  std::string header = "$version Heddle $end\n$timescale 1 fs $end\n";
  write_scope(tree.root(), signals, header);
  return header.append("$enddefinitions $end\n");
}

}  // namespace heddle
