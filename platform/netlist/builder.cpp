#include "platform/netlist/builder.hpp"

#include <fmt/format.h>

#include <set>

#include "platform/buffers/buffer_watch.hpp"
#include "platform/netlist/device_list.hpp"
#include "platform/netlist/section.hpp"
#include "platform/text/suggest.hpp"
#include "platform/time/clock_domain.hpp"
#include "platform/unit/parameter_mistake.hpp"

namespace heddle {
namespace {

using built_units = std::vector<std::unique_ptr<unit>>;  // in the order of the plan

port& port_of(const built_units& units, const planned_end& end, const source_place& place) {
  const unit& owner = *units[end.owner->index];
  if (port* found = owner.find_port(end.port)) return *found;
  std::vector<std::string> names;
  for (const port* each : owner.ports()) names.push_back(each->name());
  throw user_error(place, fmt::format("{} has no port '{}'{}", end.unit(), end.port.str(),
                                      did_you_mean(end.port.str(), names)));
}

// An option of the command line, "--set routing.policy", is a place without a line.
bool is_option(const std::string& place) {
  return place.rfind("--", 0) == 0;
}

bool is_placed(const user_error& error) {
  return error.place().line > 0 || is_option(error.place().file);
}

// Mistakes found while joining get the place of the netlist line.
template <class Action>
void at_place(const source_place& place, Action&& action) {
  try {
    action();
  } catch (const user_error& error) {
    if (is_placed(error)) throw;
    throw user_error(place, error.what());
  }
}

// " (with --set hub.pipes)": parameters of the unit that were set for this run.
std::string overrides_of(const planned_unit& of) {
  std::set<std::string> options;
  for (const parameter_base* each : of.parameters->all())
    if (is_option(each->origin())) options.insert(each->origin());
  return options.empty() ? "" : fmt::format(" (with {})", fmt::join(options, ", "));
}

// Mistakes of a unit get the place of the parameter that they name, else that of the unit.
template <class Action>
void at_unit(const planned_unit& planned, Action&& action) {
  try {
    action();
  } catch (const parameter_mistake& error) {
    throw user_error(place_of(error.parameter(), planned), error.what());
  } catch (const user_error& error) {
    if (is_placed(error)) throw;
    throw user_error(planned.place, error.what() + overrides_of(planned));
  }
}

void refuse_second(const port& end, const source_place& place) {
  if (end.is_bound()) throw user_error(place, end.path() + " is connected already");
}

void join(const planned_link& link, const built_units& units) {
  port& a = port_of(units, link.a, link.place);
  port& b = port_of(units, link.b, link.place);
  refuse_second(a, link.place);
  refuse_second(b, link.place);
  if (&a == &b) throw user_error(link.place, a.path() + " is linked to itself");
  at_place(link.place, [&] { a.connect(b, link.parameters.get()); });
}

void join(const planned_bind& bind, const built_units& units) {
  port& from = port_of(units, bind.from, bind.place);
  port& to = port_of(units, bind.to, bind.place);
  refuse_second(from, bind.place);
  at_place(bind.place, [&] { from.connect(to, nullptr); });
}

struct mapped_range {
  address_decoder* decoder;
  const port* from;
};

mapped_range map(const planned_range& range, const built_units& units) {
  auto* decoder = dynamic_cast<address_decoder*>(units[range.bus->index].get());
  if (!decoder) throw user_error(range.place, range.bus->path + " decodes no addresses");
  mapped_range mapped{decoder, nullptr};
  at_place(range.place, [&] {
    port& from = range.is_default ? decoder->add_default_range()
                                  : decoder->add_range(range.base, range.size, range.is_absolute);
    port& to = port_of(units, range.to, range.place);
    from.connect(to, nullptr);
    decoder->connected(from, to);
    mapped.from = &from;
  });
  return mapped;
}

void map(const std::vector<planned_range>& ranges, const built_units& units) {
  std::vector<mapped_range> mapped;
  for (const planned_range& each : ranges) mapped.push_back(map(each, units));
  for (std::size_t i = 0; i < ranges.size(); ++i)
    at_place(ranges[i].place, [&] { mapped[i].decoder->check_range(*mapped[i].from); });
}

// A mistake that no line of a section explains gets the place of the first link.
void apply_sections(const netlist_plan& plan, simulation& sim) {
  for (const section_type& each : section_types()) {
    const yaml_node* section = plan.find_section(each.key);
    const source_place place = section              ? section->place()
                               : plan.links.empty() ? source_place{plan.file, 0, 0}
                                                    : plan.links.front().place;
    at_place(place, [&] { each.apply(section, sim); });
  }
}

}  // namespace

built_system::built_system(const netlist_plan& plan, simulation& sim) {
  sim.service<buffer_directory>().is_on = plan.watches_buffers;
  for (const planned_unit& each : plan.units)
    at_unit(each, [&] {
      units_.push_back(each.type->make(unit_context(each.path, sim), *each.parameters));
    });
  sim.service<clock_domains>().spread();
  for (const planned_bind& each : plan.binds) join(each, units_);
  map(plan.ranges, units_);
  for (const planned_link& each : plan.links) join(each, units_);
  for (std::size_t i = 0; i < units_.size(); ++i)
    for (const port* each : units_[i]->ports())
      if (each->must_be_bound() && !each->is_bound())
        throw user_error(plan.units[i].place, fmt::format("{} ({}) is connected to nothing",
                                                          each->path(), each->kind()));
  apply_sections(plan, sim);
  for (std::size_t i = 0; i < units_.size(); ++i)
    at_unit(plan.units[i], [&] { units_[i]->on_connected(); });
  list_devices(plan, sim);
}

// The kernel searches its lists of modules and sockets for each that goes: of 4096 ranks that takes
// longer than their elaboration, right before the process ends anyway.
built_system::~built_system() {
  for (std::unique_ptr<unit>& each : units_) (void)each.release();
}

}  // namespace heddle
