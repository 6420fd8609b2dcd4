#include "models/mesh/router/mesh_router.hpp"

#include <fmt/format.h>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

static_assert(is_prefetched<mesh_router> && is_concurrent_type<mesh_router>);

HEDDLE_REGISTER_UNIT(mesh_router,
                     describe_unit<mesh_router>("mesh_router",
                                                "router of a 2D mesh: wormhole with virtual "
                                                "channels, dimension-order routing"));

}  // namespace

std::vector<port_description> mesh_router::port_descriptions() {
  return {{"north", "flit", "y + 1"},
          {"east", "flit", "x + 1"},
          {"south", "flit", "y - 1"},
          {"west", "flit", "x - 1"},
          {"local", "flit", "the tile"}};
}

mesh_router::mesh_router(const unit_context& context, const parameters& p)
    : unit(context),
      input_queued_router(static_cast<int>(p.pipeline()), mesh_directions,
                          {{static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
                           p.routing() == "xy" ? x_first_table : y_first_table}),
      ports_{{{*this, clock_, "north", north, arrivals_of(north), timing(), halves_of(north)},
              {*this, clock_, "east", east, arrivals_of(east), timing(), halves_of(east)},
              {*this, clock_, "south", south, arrivals_of(south), timing(), halves_of(south)},
              {*this, clock_, "west", west, arrivals_of(west), timing(), halves_of(west)},
              {*this, clock_, "local", local, arrivals_of(local), timing(), halves_of(local)}}} {
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  sim().service<flit_network>().add_router(*this);
}

void mesh_router::on_connected() {
  for (flit_port& each : ports_)
    if (each.is_bound()) add_link(each);
  start(clock_.domain().period());
  sim().service<flit_network>().check();
}

void mesh_router::reject(const flit& head) {
  const std::string what =
      head.op != flit_op::unicast
          ? fmt::format("{}: a {} came to a mesh_router: a collective_router takes it", path(),
                        name_of(head.op))
          : fmt::format("{}: no way to ({}, {}): it is outside the mesh", path(),
                        head.destination.x, head.destination.y);
  clock_.after_cycle([this, what] {
    sim().service<run_control>().reject(std::make_exception_ptr(user_error(what)));
  });
}

std::size_t mesh_router::bytes() const {
  std::size_t sum = sizeof *this + bytes_elsewhere();
  for (const flit_port& each : ports_)
    sum += each.bytes() - sizeof each - sizeof(flit_transmitter) - sizeof(flit_receiver);
  return sum;
}

}  // namespace heddle
