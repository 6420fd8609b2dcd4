#include "models/mesh/ni/interface_links.hpp"

#include <algorithm>

#include "models/mesh/axi_channel.hpp"
#include "platform/text/diagnostic.hpp"

namespace heddle {

interface_links::interface_links(interface_tile& tile)
    : tile_(tile),
      ports_{{{tile.owner, tile.clock, "wide", wide, arrivals_, {}},
              {tile.owner, tile.clock, "req", req, arrivals_, {}},
              {tile.owner, tile.clock, "rsp", rsp, arrivals_, {}}}} {
  for (const interface_link each : {wide, req, rsp}) ports_[each].listen_from(each);
}

void interface_links::check() const {
  for (const flit_port& each : ports_)
    if (each.is_bound() && each.vcs() != 1)
      throw user_error(each.path() + ": a network_interface has no virtual channels");
  ports_[wide].check_flit(flit_payload_bytes);
  for (const interface_link each : {req, rsp}) ports_[each].check_flit(narrow_bytes);
}

bool interface_links::is_idle() const {
  return std::all_of(waiting_.begin(), waiting_.end(),
                     [](const due_flits& each) { return each.empty(); });
}

void interface_links::send_due(interface_link on, cycle_t now) {
  send(waiting_[on].front(), on, now);
  waiting_[on].pop();
}

void interface_links::transmit(interface_link on, cycle_t now) {
  if (!waiting_[on].empty() && waiting_[on].next() <= now) {
    if (!has_credit(on, now)) return;
    send_due(on, now);
  }
  wake_for_next(on, now);
}

void interface_links::wake_for_next(interface_link on, cycle_t now) {
  if (!waiting_[on].empty()) tile_.clock.wake(std::max(now + 1, waiting_[on].next()));
}

}  // namespace heddle
