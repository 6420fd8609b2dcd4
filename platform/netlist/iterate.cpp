#include "platform/netlist/iterate.hpp"

#include "platform/netlist/expand.hpp"

namespace heddle {
namespace {

constexpr std::int64_t most_repetitions = 65'536;

void iterate_from(const std::vector<yaml_entry>& indices, std::size_t first, const variables& known,
                  const std::function<void(const variables&)>& item) {
  if (first == indices.size()) return item(known);
  const yaml_entry& index = indices[first];
  if (known.count(index.key))
    throw user_error(index.key_place, "index '" + index.key + "' hides a parameter of that name");
  const std::int64_t count = expand_integer(index.value, known);
  if (count < 0 || count > most_repetitions)
    throw user_error(index.value.place(),
                     "expected a count from 0 to 65536, got " + std::to_string(count));
  variables inner = known;
  for (std::int64_t i = 0; i < count; ++i) {
    inner[index.key] = i;
    iterate_from(indices, first + 1, inner, item);
  }
}

}  // namespace

void iterate(yaml_mapping& mapping, const variables& known,
             const std::function<void(const variables&)>& item) {
  const auto node = mapping.optional("for");
  if (!node) return item(known);
  if (!node->is_mapping())
    throw user_error(node->place(), "expected indices such as {g: 8, p: \"${planes}\"}");
  iterate_from(node->entries(), 0, known, item);
}

yaml_node without_key(const yaml_node& mapping, const std::string& key) {
  std::vector<yaml_entry> rest;
  for (const yaml_entry& entry : mapping.entries())
    if (entry.key != key) rest.push_back(entry);
  return yaml_node::mapping(std::move(rest), mapping.place());
}

}  // namespace heddle
