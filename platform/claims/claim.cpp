#include "platform/claims/claim.hpp"

#include <algorithm>
#include <filesystem>

#include "platform/netlist/installed_files.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

double read_tolerance(const yaml_node& node) {
  const std::string text = as_text(node);
  if (text.empty() || text.back() != '%')
    throw user_error(node.place(), "expected a tolerance such as 2%");
  return as_double(yaml_node::scalar(text.substr(0, text.size() - 1), false, node.place())) / 100;
}

std::vector<std::pair<std::string, std::string>> read_sets(yaml_mapping& mapping) {
  std::vector<std::pair<std::string, std::string>> sets;
  if (const auto n = mapping.optional("set"))
    for (const yaml_entry& entry : n->entries()) sets.emplace_back(entry.key, as_text(entry.value));
  return sets;
}

claim_run read_over(const yaml_node& node, const claim_run& first) {
  yaml_mapping mapping(node, "over");
  claim_run second = first;
  if (const auto n = mapping.optional("ours")) second.ours = as_text(*n);
  if (const auto n = mapping.optional("netlist")) second.netlist = as_text(*n);
  second.sets = read_sets(mapping);
  mapping.finish();
  return second;
}

claim_case read_case(const yaml_node& node) {
  yaml_mapping mapping(node, "case");
  claim_case one;
  if (const auto n = mapping.optional("name")) one.name = as_text(*n);
  one.source = as_double(mapping.required("source"));
  one.run.ours = as_text(mapping.required("ours"));
  if (const auto n = mapping.optional("scale")) one.scale = as_double(*n);
  if (const auto n = mapping.optional("reason")) one.reason = as_text(*n);
  if (const auto n = mapping.optional("study"))
    one.run.study = as_choice(*n, "study", {"quantize", "gemm"});
  else
    one.run.netlist = as_text(mapping.required("netlist"));
  one.run.sets = read_sets(mapping);
  if (const auto n = mapping.optional("over")) one.over = read_over(*n, one.run);
  mapping.finish();
  return one;
}

claim read_claim(const yaml_node& node) {
  yaml_mapping mapping(node, "claim");
  claim one;
  one.id = as_text(mapping.required("id"));
  one.kind =
      as_choice(mapping.required("kind"), "kind", {"law", "hardware", "simulated", "reported"});
  one.where = as_text(mapping.required("where"));
  one.unit = as_text(mapping.required("unit"));
  one.tolerance = read_tolerance(mapping.required("tolerance"));
  if (const auto n = mapping.optional("bound"))
    one.limit = as_choice(*n, "bound", {"at least", "at most"}) == "at least"
                    ? claim::bound::at_least
                    : claim::bound::at_most;
  if (const auto n = mapping.optional("reason")) one.reason = as_text(*n);
  for (const yaml_node& each : as_list(mapping.required("cases")))
    one.cases.push_back(read_case(each));
  mapping.finish();
  return one;
}

}  // namespace

std::vector<claim> read_claims() {
  std::vector<claim> claims;
  for (const std::string& folder : netlist_folders()) {
    const fs::path claims_folder = fs::path(folder) / "claims";
    if (!fs::is_directory(claims_folder)) continue;
    for (const auto& file : fs::directory_iterator(claims_folder)) {
      if (file.path().extension() != ".yaml") continue;
      yaml_mapping top(parse_yaml_file(file.path().string()), "claims file");
      for (const yaml_node& each : as_list(top.required("claims")))
        claims.push_back(read_claim(each));
      top.finish();
    }
    break;  // the nearest folder has them all
  }
  std::sort(claims.begin(), claims.end(),
            [](const claim& a, const claim& b) { return a.id < b.id; });
  return claims;
}

}  // namespace heddle
