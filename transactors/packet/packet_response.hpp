// A request turns into its response in place: the same packet object goes back to the requester, so
// the request's tag, address, train, step, header and cause are those of the response.
//
// Limitations: the caller sets when the response may leave, and whether the access failed, unless
// it turns the request into a refusal. It also chooses the virtual channel of a packet that does
// not belong to in-network computing, because that depends on the link by which the response leaves
// (vc_partition.hpp).
#pragma once

#include <utility>

#include "transactors/packet/packet.hpp"
#include "transactors/packet/packet_format.hpp"

namespace heddle {

// A response of a kind without payload drops that of the request. The wire bytes are left as they
// are: the caller sets the size of the response.
inline void turn_into_response(packet& request, packet_kind response) {
  request.kind = response;
  std::swap(request.source, request.destination);
  if (request.is_inc) request.vc = inc_vc_of(response);
  if (has_payload(response)) return;
  request.payload.reset();
  request.payload_bytes = 0;
}

// The kind of the response follows from that of the request, its wire bytes from the format.
inline void turn_into_response(packet& request, const packet_format& format) {
  turn_into_response(request, response_to(request.kind));
  request.wire_bytes = format.wire_bytes(request.payload_bytes, request.train);
}

// Of a request that is refused: the response says so and carries no data.
inline void turn_into_refusal(packet& request, packet_kind response, const packet_format& format) {
  turn_into_response(request, response);
  request.payload.reset();
  request.carries_data = false;
  request.is_error = true;
  request.wire_bytes = format.wire_bytes(request.payload_bytes, request.train);
}

}  // namespace heddle
