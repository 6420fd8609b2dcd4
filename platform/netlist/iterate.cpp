#include "platform/netlist/iterate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "platform/netlist/expand.hpp"
#include "platform/netlist/limits.hpp"

namespace heddle {
namespace {

bool is_there(const yaml_node& mapping, const variables& known) {
  const yaml_node* condition = mapping.find("if");
  return !condition || expand_condition(*condition, known);
}

void check_index(const std::string& index, const source_place& place, const variables& known) {
  check_name("an index", index, place);
  if (known.count(index))
    throw user_error(place, "index '" + index + "' hides a parameter of that name");
}

void iterate_from(const std::vector<yaml_entry>& indices, std::size_t first, variables& known,
                  netlist_expansion& expansion, const std::function<void()>& item) {
  if (first == indices.size()) return item();
  const yaml_entry& index = indices[first];
  check_index(index.key, index.key_place, known);
  const std::int64_t count = expand_integer(index.value, known);
  if (count < 0 || count > most_repetitions)
    throw user_error(index.value.place(),
                     fmt::format("expected a count from 0 to {}, got {}", most_repetitions, count));
  for (std::int64_t i = 0; i < count; ++i) {
    expansion.count_step(index.value.place());
    known[index.key] = i;
    iterate_from(indices, first + 1, known, expansion, item);
  }
  known.erase(index.key);
}

struct array_dimension {
  std::string index;
  std::int64_t count = 0;
};

std::vector<array_dimension> read_shape(const yaml_node& array, const variables& known) {
  if (array.is_sequence() && array.items().empty())
    throw user_error(array.place(), "expected a count or a list of counts");
  std::vector<array_dimension> shape;
  std::int64_t total = 1;
  for (const yaml_node& item : as_list(array)) {
    const std::int64_t count = expand_integer(item, known);
    if (count < 1) throw user_error(item.place(), fmt::format("an array of {} units", count));
    if (count > most_repetitions / total)
      throw user_error(array.place(),
                       fmt::format("an array has at most {} units", most_repetitions));
    total *= count;
    shape.push_back({{}, count});
  }
  return shape;
}

void name_indices(const yaml_entry& unit, const variables& known,
                  std::vector<array_dimension>& shape) {
  static const std::vector<std::string> usual = {"i", "j", "k", "l", "m", "n"};
  const yaml_node* given = unit.value.find("index");
  std::vector<yaml_node> names;
  if (given) names = as_list(*given);
  if (given ? names.size() != shape.size() : usual.size() < shape.size())
    throw user_error(
        given ? given->place() : unit.key_place,
        fmt::format("an array of {} dimensions needs as many names under `index`", shape.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    shape[i].index = given ? as_text(names[i]) : usual[i];
    check_index(shape[i].index, given ? names[i].place() : unit.key_place, known);
    for (std::size_t other = 0; other < i; ++other)
      if (shape[other].index == shape[i].index)
        throw user_error(names[i].place(), "two indices are called '" + shape[i].index + "'");
  }
}

}  // namespace

void check_name(const char* what, const std::string& name, const source_place& place) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ||
      !std::all_of(name.begin(), name.end(), in_name))
    throw user_error(
        place,
        fmt::format("the name of {} is made of letters, digits and '_', got '{}'", what, name));
}

yaml_node without_keys(const yaml_node& mapping, const std::vector<std::string>& keys) {
  const auto is_left_out = [&](const yaml_entry& entry) {
    return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
  };
  const std::vector<yaml_entry>& all = mapping.entries();
  if (std::none_of(all.begin(), all.end(), is_left_out)) return mapping;
  std::vector<yaml_entry> rest;
  std::remove_copy_if(all.begin(), all.end(), std::back_inserter(rest), is_left_out);
  return yaml_node::mapping(std::move(rest), mapping.place());
}

void iterate(const yaml_node& mapping, const variables& known, netlist_expansion& expansion,
             const std::function<void(const variables&)>& item) {
  const yaml_node* indices = mapping.find("for");
  if (!indices) {
    if (is_there(mapping, known)) item(known);
    return;
  }
  if (!indices->is_mapping())
    throw user_error(indices->place(), "expected indices such as {g: 8, p: \"${planes}\"}");
  variables inner = known;
  iterate_from(indices->entries(), 0, inner, expansion, [&] {
    if (is_there(mapping, inner)) item(inner);
  });
}

void iterate_array(const yaml_entry& unit, const variables& known, netlist_expansion& expansion,
                   const std::function<void(const std::string& suffix, const variables&)>& item) {
  const yaml_node* array = unit.value.find("array");
  if (!array) {
    if (const yaml_node* index = unit.value.find("index"))
      throw user_error(index->place(), "`index` names what counts an `array`, and there is none");
    if (is_there(unit.value, known)) item("", known);
    return;
  }
  variables inner = known;
  std::vector<array_dimension> shape = read_shape(*array, known);
  name_indices(unit, known, shape);
  const std::function<void(std::size_t, const std::string&)> count_from =
      [&](std::size_t dimension, const std::string& suffix) {
        if (dimension == shape.size()) {
          if (is_there(unit.value, inner)) item(suffix, inner);
          return;
        }
        for (std::int64_t i = 0; i < shape[dimension].count; ++i) {
          expansion.count_step(array->place());
          inner[shape[dimension].index] = i;
          count_from(dimension + 1, fmt::format("{}[{}]", suffix, i));
        }
      };
  count_from(0, "");
}

}  // namespace heddle
