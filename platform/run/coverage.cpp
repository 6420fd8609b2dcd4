#include "platform/run/coverage.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "platform/registers/existing_bits.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

std::string share_text(const covered_share& share, const char* what) {
  const double percent =
      share.all == 0 ? 100
                     : 100.0 * static_cast<double>(share.covered) / static_cast<double>(share.all);
  return fmt::format("{} of {} {} ({:.1f} %)", share.covered, share.all, what, percent);
}

json share_json(const covered_share& share) {
  return {{"covered", share.covered}, {"all", share.all}};
}

json field_json(const register_cell& cell, std::size_t index, coverage_summary& sum) {
  const field_description& field = cell.description->fields[index];
  covered_share& share = is_writable(field.access) ? sum.values : sum.states;
  json seen = json::array(), missed = json::array();
  for (std::size_t v = 0; v < field.values.size(); ++v) {
    const bool is_seen = cell.hooks->coverage->has_seen(index, v);
    (is_seen ? seen : missed).push_back(field.values[v].name);
    ++share.all;
    share.covered += is_seen;
  }
  return {{"seen", seen}, {"missed", missed}};
}

json register_json(const register_cell& cell, coverage_summary& sum) {
  json one = {{"reads", cell.hooks->coverage->reads}, {"writes", cell.hooks->coverage->writes}};
  ++sum.registers.all;
  sum.registers.covered += cell.hooks->coverage->reads + cell.hooks->coverage->writes > 0;
  for (std::size_t f = 0; f < cell.description->fields.size(); ++f)
    if (cell.description->fields[f].values.size() > 0)
      one["fields"][std::string(cell.description->fields[f].name)] = field_json(cell, f, sum);
  return one;
}

json summary_json(const coverage_summary& sum) {
  return {{"registers", share_json(sum.registers)},
          {"values", share_json(sum.values)},
          {"states", share_json(sum.states)}};
}

}  // namespace

std::string coverage_summary::text() const {
  return fmt::format("coverage: {}, {}, {}", share_text(registers, "registers"),
                     share_text(values, "values"), share_text(states, "states"));
}

coverage_summary write_coverage(simulation& sim, output_file& out) {
  coverage_summary all;
  json units = json::object();
  for (const register_file* each : sim.service<register_directory>().files) {
    coverage_summary sum;
    json registers = json::object();
    for (const register_cell& cell : each->cells())
      if (exists(cell)) registers[register_file::name_of(cell)] = register_json(cell, sum);
    units[each->path()] = {{"summary", summary_json(sum)}, {"registers", registers}};
    const auto add = [](covered_share& to, const covered_share& from) {
      to.covered += from.covered;
      to.all += from.all;
    };
    add(all.registers, sum.registers);
    add(all.values, sum.values);
    add(all.states, sum.states);
  }
  out.write(json({{"summary", summary_json(all)}, {"units", units}}).dump(1) + "\n");
  out.commit();
  return all;
}

}  // namespace heddle
