#include "tests/system/foreign/foreign_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

constexpr fs_t accept_delay = 5 * fs_per_ns, holding_time = fs_per_us;

template <foreign_style style, bool grants_direct_access>
class foreign_memory_of final : public foreign_memory {
 public:
  using parameters = foreign_memory_parameters;
  foreign_memory_of(const unit_context& context, const parameters& p)
      : foreign_memory(context, p, style, grants_direct_access) {}
};

using annotated = foreign_memory_of<foreign_style::annotated, false>;
using annotated_direct = foreign_memory_of<foreign_style::annotated, true>;
using waiting = foreign_memory_of<foreign_style::waiting, false>;
using waiting_direct = foreign_memory_of<foreign_style::waiting, true>;
using phased = foreign_memory_of<foreign_style::phased, false>;
using phased_direct = foreign_memory_of<foreign_style::phased, true>;
using acquiring = foreign_memory_of<foreign_style::acquiring, false>;
using acquiring_direct = foreign_memory_of<foreign_style::acquiring, true>;

HEDDLE_REGISTER_UNIT(annotated, describe_unit<annotated>("foreign_annotated", "a test's"));
HEDDLE_REGISTER_UNIT(annotated_direct,
                     describe_unit<annotated_direct>("foreign_annotated_direct", "a test's"));
HEDDLE_REGISTER_UNIT(waiting, describe_unit<waiting>("foreign_waiting", "a test's"));
HEDDLE_REGISTER_UNIT(waiting_direct,
                     describe_unit<waiting_direct>("foreign_waiting_direct", "a test's"));
HEDDLE_REGISTER_UNIT(phased, describe_unit<phased>("foreign_phased", "a test's"));
HEDDLE_REGISTER_UNIT(phased_direct,
                     describe_unit<phased_direct>("foreign_phased_direct", "a test's"));
HEDDLE_REGISTER_UNIT(acquiring, describe_unit<acquiring>("foreign_acquiring", "a test's"));
HEDDLE_REGISTER_UNIT(acquiring_direct,
                     describe_unit<acquiring_direct>("foreign_acquiring_direct", "a test's"));

}  // namespace

mapped_bytes::mapped_bytes(std::size_t size) : size_(size) {
  void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<unsigned char*>(mapped);
}

mapped_bytes::~mapped_bytes() {
  munmap(data_, size_);
}

foreign_memory::foreign_memory(const unit_context& context, const foreign_memory_parameters& p,
                               foreign_style style, bool grants_direct_access)
    : unit(context),
      style_(style),
      grants_direct_access_(grants_direct_access),
      latency_(p.latency().fs),
      bytes_(p.size().bytes),
      socket_("in"),
      port_(*this, "in", socket_),
      accepted_(
          timed_queue<tlm::tlm_generic_payload*>::to<foreign_memory, &foreign_memory::end_requests>(
              *this)),
      performed_(
          timed_queue<tlm::tlm_generic_payload*>::to<foreign_memory,
                                                     &foreign_memory::begin_responses>(*this)),
      held_(timed_queue<held>::to<foreign_memory, &foreign_memory::let_go>(*this)) {
  if (style == foreign_style::annotated || style == foreign_style::waiting)
    socket_.register_b_transport(this, &foreign_memory::b_transport);
  else
    socket_.register_nb_transport_fw(this, &foreign_memory::nb_transport_fw);
  socket_.register_transport_dbg(this, &foreign_memory::transport_dbg);
  if (grants_direct_access)
    socket_.register_get_direct_mem_ptr(this, &foreign_memory::get_direct_mem_ptr);
}

void foreign_memory::perform(tlm::tlm_generic_payload& payload) {
  const std::uint64_t first = payload.get_address(), bytes = payload.get_data_length();
  if (bytes > bytes_.size() || first > bytes_.size() - bytes)
    return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), bytes_.data() + first, bytes);
  if (payload.is_write()) std::memcpy(bytes_.data() + first, payload.get_data_ptr(), bytes);
  payload.set_dmi_allowed(grants_direct_access_);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void foreign_memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (style_ == foreign_style::waiting) {
    sc_core::wait(delay + to_sc_time(latency_));
    delay = sc_core::SC_ZERO_TIME;
    return perform(payload);
  }
  perform(payload);
  delay += to_sc_time(latency_);
}

tlm::tlm_sync_enum foreign_memory::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    end_response(payload);
    return tlm::TLM_COMPLETED;
  }
  if (style_ == foreign_style::acquiring) payload.acquire();
  const fs_t taken = now_fs() + to_fs(delay) + accept_delay;
  accepted_.push(taken, &payload);
  performed_.push(taken + latency_, &payload);
  return tlm::TLM_ACCEPTED;
}

void foreign_memory::end_requests() {
  for (tlm::tlm_generic_payload* due = nullptr; accepted_.pop_due(now_fs(), due);) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    socket_->nb_transport_bw(*due, phase, delay);
  }
}

void foreign_memory::begin_responses() {
  for (tlm::tlm_generic_payload* due = nullptr; performed_.pop_due(now_fs(), due);) {
    perform(*due);
    responses_.push_back(due);
    if (responses_.size() > 1) continue;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    if (socket_->nb_transport_bw(*due, phase, delay) != tlm::TLM_ACCEPTED) end_response(*due);
  }
}

void foreign_memory::end_response(tlm::tlm_generic_payload& payload) {
  if (style_ == foreign_style::acquiring)
    held_.push(now_fs() + holding_time, {&payload, payload.get_command(), payload.get_data_ptr(),
                                         payload.get_data_length()});
  responses_.pop_front();
  if (responses_.empty()) return;
  tlm::tlm_generic_payload& next = *responses_.front();
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  if (socket_->nb_transport_bw(next, phase, delay) != tlm::TLM_ACCEPTED) end_response(next);
}

void foreign_memory::let_go() {
  for (held due; held_.pop_due(now_fs(), due);) {
    const tlm::tlm_generic_payload& payload = *due.payload;
    if (payload.get_command() != due.command || payload.get_data_ptr() != due.data ||
        payload.get_data_length() != due.bytes || payload.get_ref_count() < 1)
      sim().service<run_control>().fail(path() + ": a payload that is held was used again");
    due.payload->release();
  }
}

unsigned foreign_memory::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t first = payload.get_address();
  if (first >= bytes_.size()) return 0;
  const std::uint64_t bytes =
      std::min<std::uint64_t>(payload.get_data_length(), bytes_.size() - first);
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), bytes_.data() + first, bytes);
  if (payload.is_write()) std::memcpy(bytes_.data() + first, payload.get_data_ptr(), bytes);
  return static_cast<unsigned>(bytes);
}

bool foreign_memory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_dmi_ptr(bytes_.data());
  dmi.set_start_address(0);
  dmi.set_end_address(bytes_.size() - 1);
  dmi.set_read_latency(to_sc_time(latency_));
  dmi.set_write_latency(to_sc_time(latency_));
  dmi.allow_read_write();
  return true;
}

}  // namespace heddle
