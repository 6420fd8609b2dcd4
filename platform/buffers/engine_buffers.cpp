#include "platform/buffers/engine_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/buffers/buffer_question.hpp"
#include "platform/buffers/buffer_watch.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

engine_buffers::engine_buffers(simulation& sim, const std::string& engine, memory& socket)
    : engine_buffers(sim, engine, [&socket](tlm::tlm_generic_payload& payload) {
        return socket.get_base_port()->transport_dbg(payload);
      }) {}

engine_buffers::engine_buffers(simulation& sim, const std::string& engine, debug_access reach)
    : sim_(sim),
      engine_(engine),
      reach_(std::move(reach)),
      is_on_(sim.service<buffer_directory>().is_on) {}

bool engine_buffers::begin(const register_cell& starter) {
  starter_ = &starter;
  return is_on_ && starter.writer != nullptr;
}

engine_buffers::location engine_buffers::find(std::uint64_t address) {
  buffer_question question;
  tlm::tlm_generic_payload asking;
  asking.set_command(tlm::TLM_IGNORE_COMMAND);
  asking.set_address(address);
  asking.set_extension(&question);
  reach_(asking);
  asking.clear_extension(&question);
  if (question.shadow && std::find(used_.begin(), used_.end(), question.shadow) == used_.end())
    used_.push_back(question.shadow);
  return {question.shadow, question.offset};
}

void engine_buffers::report(const std::string& reason) {
  register_audit record;
  record.time = now_fs();
  record.path = engine_;
  record.reason = reason;
  record.initiator = starter_->writer->initiator_path();
  record.place = starter_->writer->line_at(starter_->written_at).text();
  report_contract(sim_, std::move(record));
}

void engine_buffers::take(buffer_use use, std::uint64_t address, std::uint64_t bytes,
                          std::uint64_t work, int channel) {
  const location at = find(address);
  if (!at.shadow || bytes == 0) return;
  buffer_claim claim;
  claim.first = at.offset;
  claim.last = at.offset + bytes - 1;
  claim.use = use;
  claim.engine = &engine_;
  claim.work = work;
  claim.channel = channel;
  claim.starter = starter_->writer;
  claim.started_at = starter_->written_at;
  claim.since = now_fs();
  const bool is_written = use == buffer_use::destination;
  if (const buffer_claim* other = at.shadow->find(at.offset, bytes, is_written, &engine_))
    report(fmt::format("{}: at {:#x}, {} has not completed what it {} there ({})", claim.text(),
                       address, *other->engine,
                       other->use == buffer_use::destination ? "writes" : "reads", other->text()));
  at.shadow->take(claim);
}

void engine_buffers::release(std::uint64_t first_work, std::uint64_t last_work) {
  for (buffer_shadow* each : used_) each->release(engine_, first_work, last_work);
}

void engine_buffers::watch_ring(std::uint64_t address, std::uint64_t entries,
                                std::uint64_t entry_bytes) {
  const location at = find(address);
  if (at.shadow) at.shadow->add_ring(at.offset, entries, entry_bytes);
}

bool engine_buffers::take_entry(std::uint64_t address, std::uint64_t bytes, std::uint32_t number,
                                int channel) {
  const location at = find(address);
  if (!at.shadow) return true;
  const bool is_fresh = at.shadow->is_fresh(at.offset);
  if (!is_fresh)
    report(fmt::format(
        "descriptor {} of channel {}, at {:#x}, is announced, but nobody has "
        "written it since {}: write it, then fence, then ring the doorbell",
        number, channel, address,
        at.shadow->is_written(at.offset, bytes) ? "an engine has completed it" : "reset"));
  if (const buffer_claim* other = at.shadow->find(at.offset, bytes, true))
    report(
        fmt::format("descriptor {} of channel {}, at {:#x}, is also the {} of {}: each channel "
                    "has a ring of its own",
                    number, channel, address, other->text(), *other->engine));
  take(buffer_use::descriptor, address, bytes, buffer_claim::work_of(channel, number), channel);
  return is_fresh;
}

void engine_buffers::complete_entry(std::uint64_t address) {
  const location at = find(address);
  if (at.shadow) at.shadow->complete(at.offset);
}

bool engine_buffers::peek(std::uint64_t address, void* to, std::uint64_t bytes) {
  tlm::tlm_generic_payload asking;
  asking.set_command(tlm::TLM_READ_COMMAND);
  asking.set_address(address);
  asking.set_data_ptr(static_cast<unsigned char*>(to));
  asking.set_data_length(static_cast<unsigned>(bytes));
  asking.set_streaming_width(static_cast<unsigned>(bytes));
  return reach_(asking) == bytes;
}

}  // namespace heddle
