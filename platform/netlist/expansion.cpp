#include "platform/netlist/expansion.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "platform/netlist/limits.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/netlist/read_netlist.hpp"
#include "platform/yaml/value.hpp"

namespace heddle {
namespace {

[[noreturn]] void refuse_growth(const source_place& place, std::size_t most, const char* what) {
  throw user_error(place, fmt::format("the netlist expands to more than {} {}", most, what));
}

}  // namespace

void netlist_expansion::count_step(const source_place& place) {
  if (++steps_ > most_expansion_steps)
    refuse_growth(place, most_expansion_steps, "units, links, ranges and repetitions");
}

void netlist_expansion::add(planned_unit added) {
  if (plan_.units.size() == most_units) refuse_growth(added.place, most_units, "units");
  if (plan_.find_unit(added.path))
    throw user_error(added.place, "two units are called " + added.path);
  plan_.add_unit(std::move(added));
}

void netlist_expansion::add(planned_link added) {
  count_step(added.place);
  if (plan_.links.size() == most_links) refuse_growth(added.place, most_links, "links");
  plan_.links.push_back(std::move(added));
}

void netlist_expansion::add(const planned_bind& added) {
  count_step(added.place);
  plan_.binds.push_back(added);
}

void netlist_expansion::add(const planned_range& added) {
  count_step(added.place);
  plan_.ranges.push_back(added);
}

const netlist_expansion::used_file& netlist_expansion::file(const yaml_node& use,
                                                            const std::string& beside) {
  const std::string name = as_text(use);
  const auto key = std::make_pair(name, std::filesystem::path(beside).parent_path().string());
  const auto known = files_.find(key);
  if (known != files_.end()) return known->second;
  if (files_.size() == most_netlist_files) refuse_growth(use.place(), most_netlist_files, "files");
  const std::string found = find_netlist(name, beside);
  try {
    return files_.emplace(key, used_file{found, read_netlist(name, found)}).first->second;
  } catch (const user_error& error) {
    if (error.place().line > 0) throw;
    throw user_error(use.place(), error.what());
  }
}

}  // namespace heddle
