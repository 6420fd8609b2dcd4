// The core on its bus: local memory, device accesses and their time.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/cpu/rv_core.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

constexpr unsigned ra = 1;

// As messages call it.
std::string kind_of(const tlm::tlm_generic_payload& payload) {
  const auto* atomic = payload.get_extension<atomic_extension>();
  if (atomic) return std::string("atomic ") + name_of(atomic->operation);
  return payload.is_write() ? "write" : "read";
}

}  // namespace

// Memory grants regions; a page counts when all of it lies in one.
unsigned char* rv_core::direct_page(std::uint64_t address) {
  if (address - local_ >= local_bytes_ || is_host(address)) return nullptr;
  const std::uint64_t first = address / page_bytes * page_bytes;
  const std::uint64_t last = first + (page_bytes - 1);
  const auto holds = [&] {
    return has_direct_ && direct_.get_start_address() <= first && last <= direct_.get_end_address();
  };
  if (!holds()) {
    tlm::tlm_generic_payload asking;
    set_access(asking, tlm::TLM_READ_COMMAND, address, nullptr, 0);
    direct_.init();
    has_direct_ = bus_->get_direct_mem_ptr(asking, direct_) && direct_.is_read_write_allowed();
    if (!holds()) return nullptr;
  }
  return direct_.get_dmi_ptr() + (first - direct_.get_start_address());
}

void rv_core::forget_direct(sc_dt::uint64, sc_dt::uint64) {
  has_direct_ = false;
  hart_->forget_direct_pages();
}

bool rv_core::access(tlm::tlm_generic_payload& payload, std::uint64_t cycles, fs_t& taken) {
  hart_->pass(cycles);
  if (synchronizes_) synchronize();
  const bool is_posted = payload.get_extension<posted_extension>() != nullptr;
  const bool rings = is_posted && !resources_.holds(payload.get_address());
  spend(rings ? category::doorbell : category::firmware);
  // A posted write goes its own way from here; what it does to this core's memory explains nothing.
  cause posted;
  if (rings) posted = why();
  const fs_t start = local_time();
  sc_core::sc_time delay = to_sc_time(start - now_fs());
  const std::uint64_t refusals = audit_.count();
  origin_.start({hart_->current_pc(), hart_->reg(ra)});
  if (is_posted) posted_.announce(payload.get_address(), origin_.place);
  payload.set_extension(&origin_);
  {
    const running_cause accessing(is_posted ? posted : why());
    running_cause::take_seen();
    bus_->b_transport(payload, delay);
    seen_ = running_cause::take_seen();
  }
  payload.clear_extension(&origin_);
  if (mmio_log_) mmio_log_->add(start, payload, origin_);
  const fs_t end = now_fs() + to_fs(delay);
  pass_until(now_fs());  // the target may have waited
  taken = end > local_time() ? end - local_time() : 0;
  if (payload.is_response_ok()) return true;
  note_refusal(payload, start, audit_.count() > refusals);
  return false;
}

// What the registers have told, with reason and line, is not told again.
void rv_core::note_refusal(const tlm::tlm_generic_payload& payload, fs_t when, bool is_told) {
  if (is_told && audit_.last().is_fatal()) end_in_fault();
  refused_ = {kind_of(payload), payload.get_data_length(), when,
              is_told ? "" : ": " + payload.get_response_string()};
}

// At the core's own time; costs no more than the instruction.
bool rv_core::access_host(tlm::tlm_command command, std::uint64_t address, void* data,
                          unsigned bytes) {
  synchronize();
  sc_core::sc_time delay;
  tlm::tlm_generic_payload payload;  // a call may let others run: not one that is shared
  set_access(payload, command, address - host_, data, bytes);
  const std::uint64_t refusals = audit_.count();
  regs_.b_transport(payload, delay);
  pass_until(now_fs());
  hart_->set_limit(limit());
  if (payload.is_response_ok()) return true;
  note_refusal(payload, now_fs(), audit_.count() > refusals);
  return false;
}

// One access to the bus, with all the time that it takes.
template <class Access>
bool rv_core::observed(Access access) {
  if (!observer_) return access();
  observer_->begin_access();
  const bool is_done = access();
  observer_->end_access();
  return is_done;
}

bool rv_core::load(std::uint64_t address, unsigned bytes, std::uint64_t& value) {
  value = 0;
  if (is_host(address)) return access_host(tlm::TLM_READ_COMMAND, address, &value, bytes);
  ++counters_.reads;
  set_access(payload_, tlm::TLM_READ_COMMAND, address, &value, bytes);
  const bool is_done = observed([&] {
    fs_t taken = 0;
    if (!access(payload_, read_cycles_, taken)) return false;
    pass_until(local_time() + taken);
    return true;
  });
  if (!is_done) return false;
  spend(category::memory);
  if (polled_.is_active) {
    why() = poll_begun_;
    watch_poll(value);
  }
  return true;
}

bool rv_core::store(std::uint64_t address, unsigned bytes, std::uint64_t value) {
  if (is_host(address)) return access_host(tlm::TLM_WRITE_COMMAND, address, &value, bytes);
  if (tohost_ && address == *tohost_) {
    write_tohost(value);
    value = 0;  // taken
  }
  if (unsigned char* page = direct_page(address)) {  // whose stores are watched
    std::memcpy(page + address % page_bytes, &value, bytes);
    if (is_shared(address)) {
      origin_.start({hart_->current_pc(), hart_->reg(ra)});
      origin_.end_store();
    }
    return true;
  }
  ++counters_.writes;
  set_access(payload_, tlm::TLM_WRITE_COMMAND, address, &value, bytes);
  const bool is_accepted = post();
  if (origin_.device) share(value);
  return is_accepted;
}

// A device has been told an address: if that is one of the program's variables, the bus sees the
// stores to it from now on.
void rv_core::share(std::uint64_t value) {
  if (value - local_ >= local_bytes_ || is_shared(value)) return;
  const elf_symbol* const object = image_->object_at(value);
  if (!object) return;
  shared_.push_back(object);
  const std::uint64_t end = object->address + object->bytes;
  for (std::uint64_t at = object->address / page_bytes * page_bytes; at < end; at += page_bytes)
    hart_->watch_stores(at);
}

bool rv_core::is_shared(std::uint64_t address) const {
  return std::any_of(shared_.begin(), shared_.end(), [address](const elf_symbol* each) {
    return address - each->address < each->bytes;
  });
}

// The core goes on; a fence waits for what was posted.
bool rv_core::post() {
  payload_.set_extension(&posted_.extension());
  fs_t taken = 0;
  const bool is_accepted = observed([&] { return access(payload_, write_cycles_, taken); });
  payload_.clear_extension(&posted_.extension());
  origin_.end_store();
  if (is_accepted) stores_done_ = std::max(stores_done_, local_time() + taken);
  return is_accepted;
}

// The target does it in one transaction, or refuses: most registers do.
void rv_core::set_atomic(const rv::atomic_access& access, std::uint64_t& before) {
  ++counters_.writes;
  before = 0;
  atomic_.operation = access.operation;
  atomic_.operand = access.operand;
  atomic_.expected = access.expected;
  set_access(payload_, tlm::TLM_IGNORE_COMMAND, access.address, &before, access.bytes);
  payload_.set_extension(&atomic_);
}

bool rv_core::post_modify(const rv::atomic_access& access) {
  std::uint64_t before = 0;
  set_atomic(access, before);
  const bool is_accepted = post();
  payload_.clear_extension(&atomic_);
  return is_accepted;
}

bool rv_core::modify(const rv::atomic_access& access, std::uint64_t& before) {
  set_atomic(access, before);
  const bool is_done = observed([&] {
    fs_t taken = 0;
    if (!this->access(payload_, read_cycles_, taken)) return false;
    pass_until(local_time() + taken);
    return true;
  });
  payload_.clear_extension(&atomic_);
  spend(category::memory);
  return is_done;
}

// Registers show themselves to debuggers only: to a fetch they are no memory.
bool rv_core::fetch(std::uint64_t address, std::uint16_t& parcel) {
  const bool is_register = !view_.register_name(address).empty();
  set_access(payload_, tlm::TLM_READ_COMMAND, address, &parcel, sizeof parcel);
  if (!is_register && bus_->transport_dbg(payload_) == sizeof parcel) return true;
  refused_ = {"instruction fetch", sizeof parcel, local_time(),
              is_register ? ": registers hold no instructions" : ": no memory is there"};
  return false;
}

void rv_core::fence() {
  origin_.unfenced_stores = 0;
  spend(category::firmware);
  pass_until(stores_done_);
  spend(category::memory);
  if (posted_.under_way() == 0) return;
  synchronize();
  waiting_for_ = fmt::format("{} posted writes", posted_.under_way());
  posted_.wait();
  why().join(posted_.why());
  waiting_for_.clear();
  pass_until(now_fs());
}

void rv_core::watch_poll(std::uint64_t value) {
  ++counters_.polls;
  if (timing_.poll_limit == 0 || local_time() - polled_.quiet_since < timing_.poll_limit) return;
  const std::uint64_t carried = sim().service<link_directory>().wire_bytes();
  if (carried != polled_.carried) {
    polled_.carried = carried;
    polled_.quiet_since = local_time();
    return;
  }
  synchronize();
  fail(fmt::format("{}: hang: polls {} (now {:#x}), {}", path(), polled_text(), value, place()));
}

}  // namespace heddle
