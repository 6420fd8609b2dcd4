#include "models/router/flit_switch.hpp"

#include <fmt/format.h>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

using small_switch = flit_switch_of<8, 64>;
using large_switch = flit_switch_of<64, 1024>;
static_assert(is_prefetched<small_switch> && is_concurrent_type<small_switch>);

unit_type describe_flit_switch() {
  auto type = describe_unit<small_switch>("flit_switch",
                                          "N-port switch of flits: wormhole with virtual channels, "
                                          "the textbook input-queued router");
  type.make = [](const unit_context& context, const parameter_set& set) -> std::unique_ptr<unit> {
    const auto& p = static_cast<const flit_switch_parameters&>(set);
    if (p.ports() <= 8) return std::make_unique<small_switch>(context, p);
    return std::make_unique<large_switch>(context, p);
  };
  return type;
}

HEDDLE_REGISTER_UNIT(flit_switch, describe_flit_switch());

}  // namespace

std::vector<port_description> flit_switch::port_descriptions() {
  return {{"port[ports]", "flit", "a link to a terminal or another switch"}};
}

template <int most_ports, int most_channels>
flit_switch_of<most_ports, most_channels>::flit_switch_of(const unit_context& context,
                                                          const parameters& p)
    : flit_switch(context),
      router(static_cast<int>(p.pipeline()), static_cast<int>(p.ports())),
      random_(sim().settings().seed, path()) {
  sim().template service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  std::vector<const flit_port*> all;
  for (int i = 0; i < static_cast<int>(p.ports()); ++i) {
    ports_.push_back(std::make_unique<flit_port>(*this, clock_, fmt::format("port[{}]", i), i,
                                                 router::arrivals_of(i), router::timing(),
                                                 router::halves_of(i)));
    all.push_back(ports_.back().get());
  }
  sim().template service<flit_fabric>().add_switch(*this, std::move(all));
}

template <int most_ports, int most_channels>
void flit_switch_of<most_ports, most_channels>::on_connected() {
  for (const auto& each : ports_)
    if (each->is_bound()) router::add_link(*each);
  auto& fabric = sim().template service<flit_fabric>();
  fabric.start();
  routes_ = fabric.routes_of(*this);
  for (std::size_t i = 0; i < ports_.size(); ++i)
    if (routes_.is_split[i]) router::split_vcs(static_cast<int>(i));
  router::start(clock_.domain().period());
}

// A packet on its way along the dimension keeps its direction and its class, that of the VC on
// which it came.
template <int most_ports, int most_channels>
int flit_switch_of<most_ports, most_channels>::route_in_grid(const flit_way& way,
                                                             const flit_channel& at) {
  const std::uint8_t on = routes_.across[at.port];
  if (on != flit_fabric::no_port && (on == way.output || on == way.other))
    return on + most_ports * router::is_upper(at);
  const bool takes_other = way.other != flit_fabric::no_port && random_.below(2) == 1;
  return takes_other ? way.other + most_ports * way.class_of_other
                     : way.output + most_ports * way.class_of_output;
}

// A terminal of flits checks what it addresses before it sends.
template <int most_ports, int most_channels>
void flit_switch_of<most_ports, most_channels>::reject(const flit& head) {
  clock_.after_cycle([this, op = head.op] {
    sim().template service<run_control>().reject(std::make_exception_ptr(user_error(
        fmt::format("{}: a {} came to a flit_switch, which takes unicasts to terminals that it "
                    "leads to",
                    path(), heddle::name_of(op)))));
  });
}

}  // namespace heddle
