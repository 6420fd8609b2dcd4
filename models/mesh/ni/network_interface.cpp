#include "models/mesh/ni/network_interface.hpp"

#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(network_interface,
                     describe_unit<network_interface>("network_interface",
                                                      "memory plane to the three links of a mesh",
                                                      network_interface_regs::markdown));

}  // namespace

std::vector<port_description> network_interface::port_descriptions() {
  return {{"in", "memory target", "accesses to other tiles"},
          {"out", "memory initiator", "accesses of other tiles to this one"},
          {"registers", "memory target", "the register block"},
          {"irq", "interrupt output", "up while the register `interrupt` is not 0"},
          {"wide", "flit", "bursts"},
          {"req", "flit", "requests"},
          {"rsp", "flit", "responses"}};
}

network_interface::network_interface(const unit_context& context, const parameters& p)
    : unit(context),
      tile_{*this,
            mesh_map(p, path()),
            {static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
            p.latency(),
            static_cast<std::uint32_t>(p.longest().bytes),
            sim().settings().carries_data,
            p.loopback(),
            sim().service<flit_payloads>(),
            counters_,
            {}},
      registers_(context),
      registers_socket_(*this, "registers", registers_),
      links_(tile_),
      explanation_(tile_),
      target_(tile_, links_, explanation_,
              [this](mesh_position source, std::uint32_t transaction) {
                return find_at(source, transaction);
              }),
      requests_(tile_, links_, explanation_, target_, p.words(), p.bursts()),
      intake_(tile_, registers_, p.alias().value),
      socket_(tile_, intake_, requests_),
      turns_(tile_, links_, requests_, target_),
      interrupt_(*this, "irq") {
  tile_.map.check_alias(p.alias().value, path());
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, tile_.clock);
  state_reductions(p.words(), p.bursts());
  sim().service<mesh_tiles>().all.push_back(this);
  enter_energy(p);
  set_registers(p.alias().value);

  const trace_scope scope(sim().trace(), path());
  state_trace_ = scope.state<state>("state", {"IDLE", "WAIT_RESPONSE", "SERVE", "SEND"});
  state_trace_.set(state::idle, 0);
  bursts_trace_ = scope.vector("bursts", 16);
  bursts_trace_.set(0, 0);
}

void network_interface::enter_energy(const parameters& p) {
  energy_book& book = sim().service<energy_book>();
  book.enter({path(), "dma_load", quantity::bytes, &counters_.loaded, 1, p.load_energy()});
  book.enter({path(), "dma_store", quantity::bytes, &counters_.stored, 1, p.store_energy()});
  book.enter({path(), "spm_write", quantity::bytes, &counters_.written, 1, p.write_energy()});
}

void network_interface::set_registers(std::uint64_t alias) {
  registers_.width.set(map().width());
  registers_.height.set(map().height());
  registers_.tile_size.set(static_cast<std::uint32_t>(map().tile_size()));
  registers_.base.set(map().base());
  registers_.alias.set(alias);
  registers_.interrupt.on_write(
      [this](std::uint32_t, std::uint32_t now) { interrupt_.set(now != 0); });
}

// A burst of a reduction is an AW and its beats, a word an AW and a W; every multicast has its Bs
// merged. Memory tiles are in none, but may be asked for some.
void network_interface::state_reductions(std::size_t most_words, std::size_t most_bursts) {
  auto& network = sim().service<flit_network>();
  const std::size_t longest_burst = 1 + (longest() + flit_payload_bytes - 1) / flit_payload_bytes;
  const bool is_member = !tile_.is_memory();
  for (const interface_link each : {wide, req, rsp})
    network.add_endpoint(
        {&links_.port(each), position(), map().text(), map().first_of(position())});
  network.add_source(links_.port(wide), is_member ? most_bursts * longest_burst : 0);
  network.add_source(links_.port(req), is_member ? most_words * 2 : 0);
  network.add_source(links_.port(rsp), most_words + most_bursts);
}

const mesh_access* network_interface::find_at(mesh_position source,
                                              std::uint32_t transaction) const {
  const network_interface* const there = sim().service<mesh_tiles>().find(map(), source);
  return there ? there->requests_.find(transaction) : nullptr;
}

void network_interface::evaluate(cycle_t now) {
  requests_.finish_due(now);
  links_.take_arrivals(
      now, [this, now](const flit& arrived, interface_link from) { take(arrived, from, now); });
  requests_.issue(now);
  target_.evaluate();
  turns_.transmit(now);
  for (const interface_link each : {req, rsp}) links_.transmit(each, now);
  requests_.wake_for_finished(now);
  if (state_trace_.enabled() || bursts_trace_.enabled()) show_state(now);
}

void network_interface::take(const flit& arrived, interface_link from, cycle_t now) {
  const axi_channel channel = axi_tag::channel(arrived.tag);
  if (channel == axi_channel::r)
    requests_.take_beat(arrived, now);
  else if (channel == axi_channel::b)
    requests_.take_response(arrived, now);
  else
    target_.take(arrived, from);
}

// In state `send` an own access or an answer leaves; in `serve` another tile's access is performed.
void network_interface::show_state(cycle_t now) {
  state next = state::idle;
  if (requests_.has_writes() || !links_.is_idle())
    next = state::send;
  else if (!target_.is_idle())
    next = state::serve;
  else if (requests_.is_waiting())
    next = state::wait_response;
  const fs_t time = tile_.clock.domain().start_of(now);
  state_trace_.set(next, time);
  bursts_trace_.set(requests_.bursts(), time);
}

std::string network_interface::waiting_for() const {
  const std::string own = requests_.waiting_for(), of_others = target_.waiting_for();
  return own + (own.empty() || of_others.empty() ? "" : ", ") + of_others;
}

}  // namespace heddle
