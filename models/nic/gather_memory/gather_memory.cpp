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
      memory_port_(*this, "memory", memory_) {}

void gather_memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t offset = payload.get_address();
  const std::uint32_t bytes = payload.get_data_length();
  if (!content_ || !content_->holds(offset, bytes) ||
      payload.get_command() == tlm::TLM_IGNORE_COMMAND)
    return memory_->b_transport(payload, delay);
  payload.set_extension(&described_);
  memory_->b_transport(payload, delay);
  payload.clear_extension(&described_);
  if (!payload.is_response_ok()) return;
  const auto* const bulk = payload.get_extension<bulk_extension>();
  const bool is_carried = !bulk || bulk->is_carried;
  auto* const data = is_carried ? reinterpret_cast<std::byte*>(payload.get_data_ptr()) : nullptr;
  if (payload.is_read()) {
    ++counters_.reads;
    content_->read(offset, data, bytes);
  } else {
    ++counters_.writes;
    content_->write(offset, data, bytes);
  }
}

}  // namespace heddle
