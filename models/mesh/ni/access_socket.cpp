#include "models/mesh/ni/access_socket.hpp"

#include "models/mesh/ni/mesh_tiles.hpp"
#include "models/mesh/ni/network_interface.hpp"
#include "platform/time/thread_wait.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/target_declaration.hpp"

namespace heddle {

access_socket::access_socket(interface_tile& tile, access_intake& intake, request_side& requests)
    : tile_(tile),
      intake_(intake),
      requests_(requests),
      socket_("in"),
      port_(tile.owner, "in", socket_, true) {
  socket_.register_b_transport(this, &access_socket::b_transport);
  socket_.register_nb_transport_fw(this, &access_socket::nb_transport_fw);
  socket_.register_transport_dbg(this, &access_socket::transport_dbg);
  requests.tell(*this);
}

void access_socket::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_plain_ignore(payload)) return payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const fs_t when = now_fs() + to_fs(delay);
  cause* const asking = running_cause::now();
  if (const auto* posted = payload.get_extension<posted_extension>();
      posted && posted_access::fits(payload))
    return post(payload, *posted->issuer, when);
  mesh_access& access = accesses_.take();
  access.initiator = -1;
  if (!intake_.read(access, payload)) return accesses_.give_back(access);
  const cause_aside while_waiting;
  if (delay != sc_core::SC_ZERO_TIME) wait_until(when);
  delay = sc_core::SC_ZERO_TIME;
  requests_.begin(access, when);
  while (!access.is_finished) sc_core::wait(access.done);
  if (asking) *asking = access.why;
  accesses_.give_back(access);
}

void access_socket::post(tlm::tlm_generic_payload& payload, posted_issuer& issuer, fs_t when) {
  posted_access& posted = posted_.take();
  posted.copy(payload);
  posted.issuer = &issuer;
  mesh_access& access = accesses_.take();
  access.initiator = -1;
  if (!intake_.read(access, posted.payload)) {
    payload.set_response_status(posted.payload.get_response_status());
    posted_.give_back(posted);
    return accesses_.give_back(access);
  }
  access.posted = &posted;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (auto* atomic = payload.get_extension<atomic_extension>()) atomic->is_performed = true;
  issuer.posted_begins();
  requests_.begin(access, when);
}

tlm::tlm_sync_enum access_socket::nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    responses_.end(from);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (is_plain_ignore(payload)) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  mesh_access& access = accesses_.take();
  access.initiator = from;
  if (!intake_.read(access, payload)) {
    accesses_.give_back(access);
    return tlm::TLM_COMPLETED;
  }
  requests_.begin(access, now_fs() + to_fs(delay));
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

unsigned access_socket::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  if (auto* declaration = payload.get_extension<target_declaration>()) {
    declaration->knows_extensions = true;
    return 0;
  }
  const auto first = tile_.map.node_of(payload.get_address());
  const auto last = tile_.map.node_of(payload.get_address() + payload.get_data_length() - 1);
  if (!first || !last || *first != *last || *first == tile_.here) return 0;
  network_interface* const there = tile_.owner.sim().service<mesh_tiles>().find(tile_.map, *first);
  return there ? there->debug_access(payload) : 0;
}

void access_socket::access_ends(mesh_access& done) {
  done.payload->set_response_status(done.is_error ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                  : tlm::TLM_OK_RESPONSE);
  if (auto* atomic = done.payload->get_extension<atomic_extension>())
    atomic->is_performed = !done.is_error;
  cause why = done.why;
  const running_cause finishing(why);
  if (done.posted) {
    posted_access& posted = *done.posted;
    posted.issuer->posted_ends(done.address, !done.is_error);
    posted_.give_back(posted);
    return accesses_.give_back(done);
  }
  if (done.initiator < 0) return done.done.notify(sc_core::SC_ZERO_TIME);  // the thread returns it
  tlm::tlm_generic_payload& payload = *done.payload;
  const int initiator = done.initiator;
  accesses_.give_back(done);
  responses_.respond(initiator, payload);
}

}  // namespace heddle
