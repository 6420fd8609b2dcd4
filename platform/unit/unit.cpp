#include "platform/unit/unit.hpp"

#include "platform/explain/explanation.hpp"
#include "platform/time/agenda.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// SystemC reserves '.' and dislikes brackets: gpu[0].dma becomes gpu_0__dma.
std::string legal_name_of(const std::string& path) {
  std::string name;
  for (char c : path) {
    if (c == ']') continue;
    if (c == '.')
      name += "__";
    else
      name += c == '[' ? '_' : c;
  }
  return name;
}

}  // namespace

unit_context::unit_context(std::string unit_path, simulation& run)
    : path(std::move(unit_path)),
      sim(run),
      legal_name(legal_name_of(path)),
      kernel_name(legal_name.c_str()) {}

unit::unit(const unit_context& context)
    : sc_core::sc_module(context.kernel_name),
      path_(context.path),
      sim_(context.sim),
      site_(context.sim.service<explanation>().add_site(context.path)) {
  sim_.add_unit(*this);
  agenda::instance();  // a module: it has to exist before elaboration ends
}

unit::~unit() = default;

port* unit::find_port(const std::string& name) const {
  for (port* each : ports_)
    if (each->name() == name) return each;
  return nullptr;
}

building_inside::building_inside(unit& owner) {
  sc_core::sc_get_curr_simcontext()->hierarchy_push(&owner);
}

building_inside::~building_inside() {
  sc_core::sc_get_curr_simcontext()->hierarchy_pop();
}

}  // namespace heddle
