#include "models/mesh/ni/access_intake.hpp"

#include <fmt/format.h>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// Its bytes are copied between the payload and flits: those of a word always, because registers and
// atomics need them. A DMA engine has the beats of its bursts in a stream.
bool needs_data(const mesh_access& access, bool carries_data) {
  return !access.stream && (access.is_word || carries_data);
}

}  // namespace

bool access_intake::read(mesh_access& access, tlm::tlm_generic_payload& payload) {
  fill(access, payload);
  if (!payload.get_data_ptr() && needs_data(access, tile_.carries_data)) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    ++tile_.counters.errors;
    return false;
  }
  bool is_stated = true;
  if (access.address >= alias_) {
    access.address -= alias_;
    access.mask = registers_.mask.value();
    access.op = static_cast<flit_op>(registers_.operation.op.get());
    is_stated = access.op == flit_op::multicast || access.op == flit_op::lsb_and;
  }
  if (!is_well_formed(access)) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    ++tile_.counters.errors;
    return false;
  }
  if (is_stated ? aim(access) : refuse_unstated(access)) return true;
  if (auto* beats = payload.get_extension<beat_extension>()) beats->refusal = why_nowhere(access);
  payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  ++tile_.counters.errors;
  return false;
}

void access_intake::fill(mesh_access& access, tlm::tlm_generic_payload& payload) const {
  access.payload = &payload;
  access.stream = nullptr;
  access.posted = nullptr;
  access.address = payload.get_address();
  access.bytes = payload.get_data_length();
  access.op = flit_op::unicast;
  access.mask = 0;
  access.is_read = payload.is_read();
  access.is_atomic = payload.get_extension<atomic_extension>() != nullptr;
  access.is_word = access.bytes <= 8;
  access.beats = (access.bytes + flit_payload_bytes - 1) / flit_payload_bytes;
  access.sent = access.received = 0;
  access.is_error = access.is_finished = false;
  access.why = running_cause::copy();
  auto* beats = payload.get_extension<beat_extension>();
  if (!beats) return;
  beats->is_known = true;
  access.stream = beats->stream;
  access.op = beats->op;
  access.mask = beats->mask;
  access.is_word = false;
}

bool access_intake::is_well_formed(const mesh_access& access) const {
  const tlm::tlm_generic_payload& payload = *access.payload;
  const auto* atomic = payload.get_extension<atomic_extension>();
  const bool is_odd_atomic = atomic && !atomic->fits(access.bytes);
  return !payload.get_byte_enable_ptr() && payload.get_streaming_width() >= access.bytes &&
         access.bytes > 0 && access.bytes <= tile_.longest && !is_odd_atomic;
}

// nullptr: it is somewhere, and the refusal of a collective was reported.
const char* access_intake::why_nowhere(const mesh_access& access) const {
  const auto first = tile_.map.node_of(access.address);
  const auto last = tile_.map.node_of(access.address + access.bytes - 1);
  if (!first || !last) return "no tile has the address";
  if (*first != *last) return "it goes beyond the end of a tile";
  if (access.op == flit_op::unicast) return "the address is this tile's own";
  return nullptr;
}

// Where the flits go and which nodes their mask names.
bool access_intake::aim(mesh_access& access) {
  const mesh_map& map = tile_.map;
  const auto first = map.node_of(access.address);
  const auto last = map.node_of(access.address + access.bytes - 1);
  if (!first || !last || *first != *last) return false;
  access.destination = *first;
  access.position_mask = {};
  // What is this tile's own comes here only where the tile has nothing at the address.
  if (access.op == flit_op::unicast) return access.destination != tile_.here;
  ++tile_.counters.collectives;
  if (access.is_read || access.is_atomic)
    return refuse(access, "reads and atomics are not collective");
  if (const std::string text = map.obstacle_to_masks(); !text.empty()) return refuse(access, text);
  const auto mask = map.position_mask(access.mask);
  if (!mask)
    return refuse(access,
                  fmt::format("its mask {:#x} has bits that are no coordinate's: tiles are {:#x} "
                              "addresses apart, there are {} x {}",
                              access.mask, map.tile_size(), map.width(), map.height()));
  if (access.op == flit_op::multicast && !map.is_in_submesh(access.address))
    return refuse(access, "its address is not one of the submesh's");
  if (is_reduction(access.op) && !map.holds(tile_.here))
    return refuse(access, "this tile is not part of the submesh");
  access.position_mask = *mask;
  return true;
}

// By name, because the error response that the initiator gets does not say why.
bool access_intake::refuse(const mesh_access& access, const std::string& what) {
  tile_.owner.sim().service<run_control>().fail(fmt::format("{}: a {} of {} B at {:#x}: {}",
                                                            tile_.owner.path(), name_of(access.op),
                                                            access.bytes, access.address, what));
  return false;
}

bool access_intake::refuse_unstated(const mesh_access& access) {
  tile_.owner.sim().service<run_control>().fail(fmt::format(
      "{}: a collective access of {} B at {:#x} is refused: its register `operation` "
      "is {}: write MULTICAST or LSB_AND there, and `mask`, first",
      tile_.owner.path(), access.bytes, access.address,
      access.op == flit_op::unicast ? "NONE" : fmt::format("{}", static_cast<int>(access.op))));
  return false;
}

}  // namespace heddle
