#include "platform/claims/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "platform/trace/glob.hpp"
#include "platform/unit/registry.hpp"

namespace heddle {
namespace {

struct configured_value {
  std::string text;
  std::string from;  // as the type says of its default; "" where the netlist has set it
};

std::optional<configured_value> value_in(const yaml_node& section, const std::string& key) {
  const yaml_node* const found = section.find(key);
  if (!found) return {};
  return configured_value{found->text(), ""};
}

std::string source_of_default(const yaml_node& unit, const std::string& name,
                              const std::string& value) {
  const yaml_node* const type = unit.find("type");
  const unit_type* const known = type ? registry::instance().find_unit_type(type->text()) : nullptr;
  if (!known) return "";
  const auto parameters = known->make_parameters();
  for (const parameter_base* each : parameters->all())
    if (each->name() == name && each->text() == value) return each->source();
  return "";
}

// The value of `params.NAME`, or of the parameter of the first unit that `GLOB.NAME` matches.
std::optional<configured_value> value_of(const yaml_node& configuration, const std::string& key) {
  const std::size_t last = key.rfind('.');
  if (last == std::string::npos) return value_in(configuration, key);
  const std::string where = key.substr(0, last), name = key.substr(last + 1);
  if (where == "params") {
    const yaml_node* const section = configuration.find("params");
    return section ? value_in(*section, name) : std::nullopt;
  }
  const yaml_node* const units = configuration.find("units");
  if (!units) return {};
  for (const yaml_entry& unit : units->entries()) {
    if (!glob_match(where, unit.key)) continue;
    auto found = value_in(unit.value, name);
    if (found) found->from = source_of_default(unit.value, name, found->text);
    return found;
  }
  return {};
}

bool runs_netlist(const claim& of, const std::string& netlist) {
  return std::any_of(of.cases.begin(), of.cases.end(), [&](const claim_case& one) {
    return one.run.netlist == netlist && one.run.study.empty() && one.aside.empty();
  });
}

// A claim whose other run is of another netlist moves with that one's parameters only by itself.
bool applies(const claim_case& one, const std::string& netlist) {
  return one.aside.empty() && one.run.study.empty() && one.run.netlist == netlist &&
         (!one.over || one.over->netlist == netlist);
}

struct change {
  double relative = 0;
  std::string row;
};

// The rows of a claim that move with a parameter of that netlist.
std::vector<const claim_row*> moving_rows(const claim_verdict& verdict,
                                          const std::string& netlist) {
  std::vector<const claim_row*> moving;
  for (const claim_row& row : verdict.rows)
    if (applies(*row.one, netlist) && row.ours != 0) moving.push_back(&row);
  return moving;
}

change largest_change(const claim_verdict& verdict, const parameter_sensitivity& parameter,
                      const std::string& value, claim_runs& runs) {
  change largest;
  if (value.empty()) return largest;
  for (const claim_row* row : moving_rows(verdict, parameter.netlist)) {
    const double moved = runs.figure_of(*row->of, *row->one, {{parameter.key, value}});
    const double relative = moved / row->ours - 1;
    if (std::abs(relative) > std::abs(largest.relative)) largest = {relative, row->one->name};
  }
  return largest;
}

// Without how far the claim moves.
std::vector<parameter_sensitivity> free_of(const claim_verdict& verdict,
                                           const std::vector<free_parameter>& free,
                                           const claim_runs& runs) {
  std::vector<parameter_sensitivity> all;
  for (const free_parameter& parameter : free) {
    if (!runs_netlist(*verdict.of, parameter.netlist)) continue;
    const auto first =
        std::find_if(verdict.rows.begin(), verdict.rows.end(),
                     [&](const claim_row& row) { return applies(*row.one, parameter.netlist); });
    if (first == verdict.rows.end()) continue;
    const auto value = value_of(runs.configuration_of(first_run_of(*first->one)), parameter.key);
    if (!value)
      throw user_error("free parameter '" + parameter.key + "': " + parameter.netlist +
                       " has none of that name");
    parameter_sensitivity one{parameter.netlist,
                              parameter.key,
                              value->text,
                              parameter.from,
                              scaled_quantity(value->text, 0.8),
                              scaled_quantity(value->text, 1.2),
                              0,
                              0,
                              ""};
    if (one.from.empty()) one.from = value->from.empty() ? "the netlist" : value->from;
    all.push_back(one);
  }
  return all;
}

}  // namespace

std::string scaled_quantity(const std::string& text, double factor) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || value == 0) return "";
  const std::string unit = end;
  const bool is_whole = unit.empty() || unit == " B";
  const double scaled = is_whole ? std::round(value * factor) : value * factor;
  if (scaled == value) return "";
  return fmt::format("{:.6g}{}", scaled, unit);
}

void begin_sensitivities(const claim_verdict& verdict, const std::vector<free_parameter>& free,
                         claim_runs& runs) {
  for (const parameter_sensitivity& each : free_of(verdict, free, runs))
    for (const std::string& value : {each.lower, each.upper}) {
      if (value.empty()) continue;
      for (const claim_row* row : moving_rows(verdict, each.netlist))
        runs.begin(*row->of, *row->one, {{each.key, value}});
    }
}

std::vector<parameter_sensitivity> sensitivities_of(const claim_verdict& verdict,
                                                    const std::vector<free_parameter>& free,
                                                    claim_runs& runs) {
  std::vector<parameter_sensitivity> all = free_of(verdict, free, runs);
  for (parameter_sensitivity& one : all) {
    const change below = largest_change(verdict, one, one.lower, runs);
    const change above = largest_change(verdict, one, one.upper, runs);
    one.at_lower = below.relative;
    one.at_upper = above.relative;
    one.row = std::abs(above.relative) > std::abs(below.relative) ? above.row : below.row;
  }
  return all;
}

}  // namespace heddle
