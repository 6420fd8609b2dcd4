#include "models/memory/memory.hpp"

#include <algorithm>
#include <cstring>

#include "platform/buffers/buffer_question.hpp"
#include "platform/buffers/buffer_watch.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(memory, describe_unit<memory>("memory",
                                                   "sparse memory with latency and "
                                                   "bandwidth"));

bool moves_bytes(const bulk_extension* bulk) {
  return !bulk || (bulk->is_carried && !bulk->is_described);
}

bool needs_data(const tlm::tlm_generic_payload& payload) {
  return payload.get_command() != tlm::TLM_IGNORE_COMMAND &&
         moves_bytes(payload.get_extension<bulk_extension>());
}

}  // namespace

std::vector<port_description> memory::port_descriptions() {
  return {{"in", "memory target", "every access"}};
}

memory::memory(const unit_context& context, const parameters& p)
    : unit(context),
      store_(p.size().bytes),
      latency_(to_sc_time(p.latency().fs)),
      atomic_(to_sc_time(p.atomic().fs)),
      rate_(p.rate()),
      grants_dmi_(p.dmi()),
      polls_(*this, sim()),
      socket_("in", entry{this}),
      port_(*this, "in", socket_) {
  for (std::size_t bytes = 0; bytes <= most_of_word; ++bytes)
    word_times_[bytes] = to_sc_time(std::max(rate_.duration(bytes), p.word().fs));
  buffer_directory& buffers = sim().service<buffer_directory>();
  if (!buffers.is_on) return;
  shadow_ = std::make_unique<buffer_shadow>();
  buffers.shadows.push_back(shadow_.get());
}

bool memory::holds(const tlm::tlm_generic_payload& payload) const {
  const std::uint64_t bytes = payload.get_data_length();
  return bytes <= store_.size() && payload.get_address() <= store_.size() - bytes;
}

tlm::tlm_response_status memory::refusal(const tlm::tlm_generic_payload& payload) const {
  const unsigned bytes = payload.get_data_length();
  if (!holds(payload)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_streaming_width() < bytes) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (!payload.get_data_ptr() && needs_data(payload)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

inline sc_core::sc_time memory::on_bus(std::uint64_t bytes) const {
  return bytes <= most_of_word ? word_times_[bytes] : to_sc_time(rate_.duration(bytes));
}

// The data bus moves one access at a time; latency overlaps.
inline sc_core::sc_time memory::occupy(const sc_core::sc_time& start,
                                       const sc_core::sc_time& on_bus) {
  const sc_core::sc_time first = std::max<sc_core::sc_time>(start + latency_, bus_free_at_);
  bus_free_at_ = first + on_bus;
  counters_.busy += to_fs(on_bus);
  return bus_free_at_;
}

// Annotates when the access is done, and returns that.
inline fs_t memory::take_time(const tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                              const sc_core::sc_time& on_bus) {
  polls_.catch_up();
  const sc_core::sc_time now = sc_core::sc_get_curr_simcontext()->time_stamp();
  const sc_core::sc_time done = occupy(now + delay, on_bus);
  delay = done - now;
  if (cause* why = running_cause::now()) explain(*why, payload, to_fs(done));
  return to_fs(done);
}

inline void memory::watch(const tlm::tlm_generic_payload& payload, fs_t when) {
  if (const auto* origin = payload.get_extension<access_origin>())
    check_buffers(sim(), path(), *shadow_, payload, *origin, when);
  if (!payload.is_read()) shadow_->note_write(payload.get_address(), payload.get_data_length());
}

// An atomic, or nothing.
[[gnu::noinline]] void memory::transport_ignored(tlm::tlm_generic_payload& payload,
                                                 sc_core::sc_time& delay) {
  auto* const atomic = payload.get_extension<atomic_extension>();
  if (!atomic) return payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const unsigned bytes = payload.get_data_length();
  if (!atomic->fits(bytes)) return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  const fs_t done = take_time(payload, delay, std::max(on_bus(bytes), atomic_));
  if (shadow_) watch(payload, done);
  modify(payload, *atomic);
}

inline void memory::read_bytes(tlm::tlm_generic_payload& payload, bulk_extension* bulk) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  const bool may_lend = bulk && bulk->may_lend && bulk->is_slice_of(payload);
  if (!may_lend || !store_.lend(address, bytes, bulk->slice))
    store_.read(address, payload.get_data_ptr(), bytes);
}

inline void memory::write_bytes(const tlm::tlm_generic_payload& payload,
                                const bulk_extension* bulk) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  const bool is_slice = bulk && bulk->is_slice_of(payload);
  if (is_slice && store_.adopt(address, bulk->slice, bytes)) return;
  store_.write(address, payload.get_data_ptr(), bytes);
}

inline void memory::access(tlm::tlm_generic_payload& payload, bulk_extension* bulk) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  const bool is_moving = moves_bytes(bulk);
  if (payload.is_read()) {
    ++counters_.reads;
    counters_.bytes_read += bytes;
    if (is_moving && payload.get_byte_enable_ptr())
      read_enabled(payload);
    else if (is_moving)
      read_bytes(payload, bulk);
  } else {
    ++counters_.writes;
    counters_.bytes_written += bytes;
    if (is_moving && payload.get_byte_enable_ptr())
      write_enabled(payload);
    else if (is_moving)
      write_bytes(payload, bulk);
    note_change(address, bytes);
  }
  payload.set_dmi_allowed(grants_dmi_);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status refused = refusal(payload);
  if (refused != tlm::TLM_OK_RESPONSE) return payload.set_response_status(refused);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return transport_ignored(payload, delay);
  const fs_t done = take_time(payload, delay, on_bus(payload.get_data_length()));
  auto* const bulk = payload.get_extension<bulk_extension>();
  if (shadow_ && !(bulk && bulk->is_described)) watch(payload, done);
  access(payload, bulk);
}

// Small words are flags: who reads one wants to know who wrote it, also when it comes in a packet
// of data after some reads.
void memory::explain(cause& why, const tlm::tlm_generic_payload& payload, fs_t done) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  const bool is_small = bytes <= word_causes::most_bytes;
  if (is_small && payload.is_read()) {
    running_cause::see(writers_.find(address, bytes));
    writers_.watch(address);
  }
  why.then(category::memory, site(), done);
  if (payload.is_read()) return;
  if (is_small)
    writers_.note(address, bytes, why);
  else
    writers_.note_watched(address, bytes, why);
}

// Disabled bytes of the initiator's buffer stay as they are.
[[gnu::noinline]] void memory::read_enabled(tlm::tlm_generic_payload& payload) const {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < payload.get_data_length(); ++i)
    if (enables[i % payload.get_byte_enable_length()])
      store_.read(payload.get_address() + i, payload.get_data_ptr() + i, 1);
}

[[gnu::noinline]] void memory::write_enabled(const tlm::tlm_generic_payload& payload) {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < payload.get_data_length(); ++i)
    if (enables[i % payload.get_byte_enable_length()])
      store_.write(payload.get_address() + i, payload.get_data_ptr() + i, 1);
}

void memory::modify(tlm::tlm_generic_payload& payload, atomic_extension& atomic) {
  const unsigned bytes = payload.get_data_length();
  std::uint64_t word = 0;
  store_.read(payload.get_address(), &word, bytes);
  std::memcpy(payload.get_data_ptr(), &word, bytes);
  word = atomic.result(word, bytes);
  store_.write(payload.get_address(), &word, bytes);
  note_change(payload.get_address(), bytes);
  ++counters_.reads;
  ++counters_.writes;
  atomic.is_performed = true;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// Pollers wait for what a debugger writes, too.
unsigned memory::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (address >= store_.size()) return 0;
  if (auto* question = payload.get_extension<poll_question>()) answer(*question, address);
  if (auto* question = payload.get_extension<buffer_question>()) {
    question->shadow = shadow_.get();
    question->offset = address;
  }
  if (!payload.get_data_ptr() && needs_data(payload)) return 0;
  const std::uint64_t bytes =
      std::min<std::uint64_t>(payload.get_data_length(), store_.size() - address);
  if (payload.is_read()) {
    store_.read(address, payload.get_data_ptr(), bytes);
  } else if (payload.is_write()) {
    store_.write(address, payload.get_data_ptr(), bytes);
    if (shadow_) shadow_->note_write(address, bytes);
    note_change(address, bytes);
  }
  return static_cast<unsigned>(bytes);
}

bool memory::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  if (!grants_dmi_ || address >= store_.size()) return false;
  if (polled_.grant(address))
    polls_.changed(polled_pages::start_of(address), polled_pages::page_bytes);
  const std::uint64_t start = address / sparse_store::page_bytes * sparse_store::page_bytes;
  const direct_span span =
      polled_.around(address, {start, std::min(start + sparse_store::page_bytes, store_.size())});
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(store_.contiguous_page(address)) +
                  (span.begin - start));
  dmi.set_start_address(span.begin);
  dmi.set_end_address(span.end - 1);
  dmi.set_read_latency(latency_ + on_bus(8));
  dmi.set_write_latency(latency_ + on_bus(8));
  dmi.allow_read_write();
  if (shadow_) shadow_->note_direct(span.begin, span.end - 1);
  return true;
}

void memory::answer(poll_question& question, std::uint64_t address) {
  switch (polled_.poll(address)) {
    case polled_pages::verdict::is_granted:
      return;
    case polled_pages::verdict::is_new: {
      const std::uint64_t start = polled_pages::start_of(address);
      const std::uint64_t end = std::min(start + polled_pages::page_bytes, store_.size());
      socket_->invalidate_direct_mem_ptr(start, end - 1);
      break;
    }
    case polled_pages::verdict::is_known:
      break;
  }
  question.answer(polls_, address);
  if (!question.ledger) return;
  question.watches = &watches_;
  writers_.watch(address);
}

fs_t memory::perform_poll(const sleeping_poll& poll, fs_t start) {
  ++counters_.reads;
  counters_.bytes_read += poll.bytes;
  return to_fs(occupy(to_sc_time(start), on_bus(poll.bytes)));
}

fs_t memory::undisturbed_poll(const sleeping_poll& poll) const {
  return to_fs(latency_ + on_bus(poll.bytes));
}

void memory::repeat_poll(const sleeping_poll& poll, std::uint64_t times, fs_t last_start) {
  counters_.reads += times;
  counters_.bytes_read += times * poll.bytes;
  counters_.busy += times * to_fs(on_bus(poll.bytes));
  bus_free_at_ = to_sc_time(last_start + undisturbed_poll(poll));
}

}  // namespace heddle
