#include "models/cpu/rv_core/core_accesses.hpp"

#include <fmt/format.h>

#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

constexpr unsigned ra = 1;

}  // namespace

core_accesses::core_accesses(core_bus& bus, rv::any_hart& hart, core_clock& clock,
                             core_activity& activity, program_end& end, poll_watch& poll,
                             rv_core_counters& counters, const costs& cost)
    : bus_(bus),
      hart_(hart),
      clock_(clock),
      activity_(activity),
      end_(end),
      poll_(poll),
      counters_(counters),
      costs_(cost) {}

// In the middle of an access the payload still holds extensions that are not its own, which it
// would delete.
core_accesses::~core_accesses() {
  payload_.clear_extension(&bus_.posted().extension());
  payload_.clear_extension(&bus_.origin());
  payload_.clear_extension(&atomic_);
}

code_point core_accesses::origin() const {
  return {hart_.current_pc(), hart_.reg(ra)};
}

bool core_accesses::access(tlm::tlm_generic_payload& payload, std::uint64_t cycles, fs_t& taken) {
  hart_.pass(cycles);
  if (costs_.synchronizes) clock_.synchronize();
  const fs_t start = clock_.now();
  const core_bus::outcome outcome = bus_.access(payload, start, origin());
  clock_.pass_until(now_fs());  // the target may have waited
  taken = outcome.end > clock_.now() ? outcome.end - clock_.now() : 0;
  if (!outcome.is_ok) note_refusal(payload, start, outcome.is_told);
  return outcome.is_ok;
}

// A refusal that a register block has reported, with reason and line, is not reported again.
void core_accesses::note_refusal(const tlm::tlm_generic_payload& payload, fs_t when, bool is_told) {
  if (is_told && bus_.audit().last().is_fatal()) end_.fault();
  refused_ = {kind_of(payload), payload.get_data_length(), when,
              is_told ? "" : ": " + payload.get_response_string()};
}

void core_accesses::note_own_refusal(const tlm::tlm_generic_payload& payload, fs_t when,
                                     bool is_told) {
  note_refusal(payload, when, is_told);
  refused_.is_by_core = true;
}

// The time that the target takes is the core's.
bool core_accesses::wait_for_access() {
  if (observer_) observer_->begin_access();
  fs_t taken = 0;
  const bool is_done = access(payload_, costs_.read_cycles, taken);
  if (is_done) clock_.pass_until(clock_.now() + taken);
  if (observer_) observer_->end_access();
  return is_done;
}

bool core_accesses::load(std::uint64_t address, unsigned bytes, std::uint64_t& value) {
  value = 0;
  ++counters_.reads;
  set_access(payload_, tlm::TLM_READ_COMMAND, address, &value, bytes);
  if (!wait_for_access()) return false;
  bus_.spend(category::memory, clock_.now());
  if (poll_.is_active())
    poll_.look(value);
  else
    poll_.look_by_hand(address, value);
  return true;
}

bool core_accesses::store(std::uint64_t address, unsigned bytes, std::uint64_t value) {
  ++counters_.writes;
  set_access(payload_, tlm::TLM_WRITE_COMMAND, address, &value, bytes);
  return post();
}

void core_accesses::note_local_store() {
  bus_.origin().start(origin());
  bus_.origin().end_store();
}

// The core goes on at once.
bool core_accesses::post() {
  poll_.forget_loop();
  payload_.set_extension(&bus_.posted().extension());
  if (observer_) observer_->begin_access();
  fs_t taken = 0;
  const bool is_accepted = access(payload_, costs_.write_cycles, taken);
  if (observer_) observer_->end_access();
  payload_.clear_extension(&bus_.posted().extension());
  bus_.origin().end_store();
  if (is_accepted) bus_.note_arrival(clock_.now() + taken);
  return is_accepted;
}

// The target does it in one transaction, or refuses: most registers do.
void core_accesses::set_atomic(const rv::atomic_access& access, std::uint64_t& before) {
  ++counters_.writes;
  before = 0;
  atomic_.is_performed = false;
  atomic_.operation = access.operation;
  atomic_.operand = access.operand;
  atomic_.expected = access.expected;
  set_access(payload_, tlm::TLM_IGNORE_COMMAND, access.address, &before, access.bytes);
  payload_.set_extension(&atomic_);
}

bool core_accesses::post_modify(const rv::atomic_access& access) {
  std::uint64_t before = 0;
  set_atomic(access, before);
  const bool is_accepted = post();
  payload_.clear_extension(&atomic_);
  return is_accepted;
}

bool core_accesses::modify(const rv::atomic_access& access, std::uint64_t& before) {
  set_atomic(access, before);
  const bool is_done = wait_for_access();
  payload_.clear_extension(&atomic_);
  bus_.spend(category::memory, clock_.now());
  return is_done;
}

// Registers show themselves to debuggers only: to a fetch they are no memory.
bool core_accesses::fetch(std::uint64_t address, std::uint16_t& parcel) {
  const bool is_register = !bus_.view().register_name(address).empty();
  if (!is_register && bus_.view().try_read(address, &parcel, sizeof parcel)) return true;
  refused_ = {"instruction fetch", sizeof parcel, clock_.now(),
              is_register ? ": registers hold no instructions" : ": no memory is there"};
  return false;
}

void core_accesses::fence(bool for_devices) {
  if (for_devices) bus_.origin().unfenced_stores = 0;
  bus_.spend(category::firmware, clock_.now());
  clock_.pass_until(bus_.stores_done());
  bus_.spend(category::memory, clock_.now());
  posted_stores& posted = bus_.posted();
  if (posted.under_way() == 0) return;
  clock_.synchronize();
  activity_.set_waiting_for(fmt::format("{} posted writes", posted.under_way()));
  posted.wait();
  bus_.why().join(posted.why());
  activity_.set_waiting_for("");
  clock_.pass_until(now_fs());
}

}  // namespace heddle
