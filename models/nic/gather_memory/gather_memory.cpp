#include "models/nic/gather_memory/gather_memory.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(gather_memory,
                     describe_unit<gather_memory>("gather_memory",
                                                  "lets a gather describe what lies in a memory "
                                                  "instead of storing it"));

}  // namespace

std::vector<port_description> gather_memory::port_descriptions() {
  return {{"in", "memory target", "from the bus"},
          {"memory", "memory initiator", "the memory that it stands in front of"}};
}

gather_memory::gather_memory(const unit_context& context, const parameters& p)
    : unit(context),
      number_(static_cast<std::uint32_t>(p.number())),
      in_("in", access{this}),
      memory_("memory"),
      in_port_(*this, "in", in_),
      memory_port_(*this, "memory", memory_) {
  memory_.register_nb_transport_bw(this, &gather_memory::nb_transport_bw);
}

bool gather_memory::describes(const tlm::tlm_generic_payload& payload) const {
  return content_ && payload.get_command() != tlm::TLM_IGNORE_COMMAND &&
         content_->holds(payload.get_address(), payload.get_data_length());
}

void gather_memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!describes(payload)) return memory_->b_transport(payload, delay);
  mark(payload);
  memory_->b_transport(payload, delay);
  perform(payload);
}

tlm::tlm_sync_enum gather_memory::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ || !describes(payload))
    return memory_->nb_transport_fw(payload, phase, delay);
  mark(payload);
  const auto result = memory_->nb_transport_fw(payload, phase, delay);
  const bool is_answered =
      result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
  if (is_answered) perform(payload);
  return result;
}

tlm::tlm_sync_enum gather_memory::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto* const bulk = payload.get_extension<bulk_extension>();
  if (phase == tlm::BEGIN_RESP && bulk && bulk->is_described) perform(payload);
  return in_->nb_transport_bw(payload, phase, delay);
}

void gather_memory::mark(tlm::tlm_generic_payload& payload) {
  auto* bulk = payload.get_extension<bulk_extension>();
  if (!bulk) payload.set_extension(bulk = &mark_);
  bulk->is_described = true;
}

void gather_memory::perform(tlm::tlm_generic_payload& payload) {
  auto* const bulk = payload.get_extension<bulk_extension>();
  if (bulk == &mark_)  // other accesses that are under way may share it
    payload.clear_extension(bulk);
  else
    bulk->is_described = false;
  if (!payload.is_response_ok()) return;
  auto* const data =
      bulk->is_carried ? reinterpret_cast<std::byte*>(payload.get_data_ptr()) : nullptr;
  if (payload.is_read()) {
    ++counters_.reads;
    content_->read(payload.get_address(), data, payload.get_data_length());
  } else {
    ++counters_.writes;
    content_->write(payload.get_address(), data, payload.get_data_length());
  }
}

}  // namespace heddle
