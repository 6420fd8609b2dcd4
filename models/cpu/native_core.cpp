#include "models/cpu/native_core.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "models/cpu/native_guard.hpp"
#include "platform/buffers/buffer_watch.hpp"
#include "platform/firmware/firmware_names.hpp"
#include "platform/firmware/firmware_object.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/text/suggest.hpp"
#include "platform/time/thread_wait.hpp"
#include "platform/unit/parameter_mistake.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/job_board.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(native_core, describe_unit<native_core>("core", "runs firmware natively"));

// The name is misspelled, or a program outside was not linked to the app.
std::string missing_app(const std::string& firmware, const std::vector<std::string>& names) {
  std::string meant = did_you_mean(firmware, names);
  if (!meant.empty()) return meant;
  return fmt::format(
      " in this program, which has {} (in CMake, `heddle::all_firmware` links what comes with "
      "Heddle, `heddle_firmware_NAME` an app of the project)",
      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

firmware_registry::entry_point find_entry(const std::string& firmware, const std::string& folder) {
  if (is_firmware_path(firmware))
    return load_firmware_object(find_firmware_path(firmware, ".so", folder));
  const auto& apps = firmware_registry::instance();
  if (const auto found = apps.find(firmware)) return found;
  throw user_error("no firmware '" + firmware + "'" + missing_app(firmware, apps.names()));
}

}  // namespace

std::vector<port_description> native_core::port_descriptions() {
  return {{"bus", "memory initiator", "every access"},
          {"irq[interrupts]", "interrupt input", "level-sensitive lines"}};
}

native_core::native_core(const unit_context& context, const parameters& p)
    : unit(context),
      firmware_(p.firmware()),
      resources_(p.resources()),
      timing_(p.timing()),
      call_cost_(p.call_cost().fs),
      access_cost_(p.access_cost().fs),
      store_cost_(p.store_cost().fs),
      instruction_(p.instruction().fs),
      quantum_(p.quantum().fs),
      activity_(trace_scope(context.sim.trace(), context.path)),
      bus_(*this, *this, *this),
      control_(sim().service<run_control>()),
      job_(job_board::no_job),
      wires_(sim().service<link_directory>()),
      sleep_(bus_.socket(), call_cost_ + access_cost_, bus_.origin(), counters_.reads,
             counters_.polls),
      loop_(sim().service<link_directory>(), timing_.poll_limit),
      guard_(std::make_unique<native_guard>(
          *this, p.stack().bytes, static_cast<double>(p.compute_limit()),
          native_guard::sequel{[this](int code) { exit(code); },
                               [this](const native_fault& why) { crash(why); }})) {
  for (int i = 0; i < static_cast<int>(p.interrupts()); ++i)
    interrupt_ports_.push_back(
        std::make_unique<interrupt_input_port>(*this, fmt::format("irq[{}]", i), *this, i));
  if (firmware_.empty()) return;
  if (access_cost_ + call_cost_ == 0)
    throw user_error(path() + ": call_cost and access_cost are both 0: a poll would never end");
  entry_ =
      on_behalf_of("firmware", [this] { return find_entry(firmware_, sim().settings().folder); });
  sim().service<rank_directory>().cores.push_back(this);
  sim().service<firmware_names>().by_core[this] = firmware_;
  calls_ = native_calls::make(sim(), path(), activity_.function());
  if (calls_) watch_calls(this);
  control_.core_starts();
  sc_core::sc_spawn_options options;
  options.set_stack_size(static_cast<int>(p.stack().bytes));
  sc_core::sc_spawn([this] { run(); }, "firmware", &options);
}

// The extensions are not the payloads' to free, also when the run ends inside of an access.
native_core::~native_core() {
  storing_.clear_extension(&bus_.posted().extension());
  storing_.clear_extension(&bus_.origin());
  loading_.clear_extension(&bus_.origin());
}

void native_core::run() {
  storing_.set_extension(&bus_.posted().extension());
  activity_.show(core_activity::state::run);
  firmware_core::set_current(*this);
  guard_->call(entry_);
}

void native_core::pass(fs_t cost) {
  ahead_ += cost;
  if (ahead_ >= quantum_ || is_in_step_) synchronize();
}

void native_core::synchronize() {
  if (ahead_ == 0) return;
  wait_until(now_fs() + ahead_);
  ahead_ = 0;
}

fs_t native_core::access(tlm::tlm_generic_payload& payload, fs_t cost) {
  if (!std::exchange(is_poll_under_way_, false)) pass(call_cost_ + cost);
  const std::uint64_t address = payload.get_address();
  const fs_t start = local_time();
  const core_bus::outcome outcome = bus_.access(payload, start, {call_site()});
  ahead_ = start > now_fs() ? start - now_fs() : 0;  // the target may have waited
  if (outcome.is_ok && address % payload.get_data_length() != 0)
    refuse_misaligned(payload, address);
  if (outcome.is_ok) return outcome.end > local_time() ? outcome.end - local_time() : 0;
  payload.set_address(address);
  fault(payload, start, outcome.is_told);
}

std::string native_core::waiting_for() const {
  return polled_.what ? polled_text() : activity_.waiting_for();
}

std::uint64_t native_core::load(std::uint64_t address, unsigned bytes) {
  ++counters_.reads;
  const std::uint64_t value = observed_load(address, bytes);
  look_for_loop(address, value);
  return value;
}

std::uint64_t native_core::observed_load(std::uint64_t address, unsigned bytes) {
  if (!calls_) return loaded(address, bytes);
  const fs_t start = local_time();
  const std::uint64_t value = loaded(address, bytes);
  calls_->add_accesses(1, local_time() - start);
  return value;
}

std::uint64_t native_core::loaded(std::uint64_t address, unsigned bytes) {
  std::uint64_t value = 0;
  set_access(loading_, tlm::TLM_READ_COMMAND, address, &value, bytes);
  pass(access(loading_, access_cost_));
  spend(category::memory);
  return value;
}

void native_core::store(std::uint64_t address, std::uint64_t value, unsigned bytes) {
  set_access(storing_, tlm::TLM_WRITE_COMMAND, address, &value, bytes);
  post(storing_);
}

void native_core::post_add(std::uint64_t address, std::uint64_t addend) {
  std::uint64_t before = 0;
  atomic_extension add;
  add.operand = addend;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_IGNORE_COMMAND, address, &before, sizeof before);
  payload.set_extension(&add);
  payload.set_extension(&bus_.posted().extension());
  post(payload);
  payload.clear_extension(&bus_.posted().extension());
  payload.clear_extension(&add);
}

void native_core::post(tlm::tlm_generic_payload& payload) {
  ++counters_.writes;
  loop_.forget();
  interrupts_seen_ = 0;  // it may be what clears them, and arrive later
  const fs_t start = local_time();
  const fs_t taken = access(payload, store_cost_);
  bus_.origin().end_store();
  bus_.note_arrival(local_time() + taken);
  if (calls_) calls_->add_accesses(1, local_time() - start);
}

void native_core::fence() {
  pass(call_cost_);
  bus_.origin().unfenced_stores = 0;
  spend(category::firmware);
  if (bus_.stores_done() > local_time()) pass(bus_.stores_done() - local_time());
  spend(category::memory);
  if (bus_.posted().under_way() == 0) return;
  synchronize();
  activity_.set_waiting_for(fmt::format("{} posted writes", bus_.posted().under_way()));
  bus_.posted().wait();
  why().join(bus_.posted().why());
  activity_.set_waiting_for("");
}

std::uint64_t native_core::atomic_add(std::uint64_t address, std::uint64_t addend) {
  ++counters_.writes;
  const fs_t start = local_time();
  std::uint64_t before = 0;
  atomic_extension add;
  add.operand = addend;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_IGNORE_COMMAND, address, &before, sizeof before);
  payload.set_extension(&add);
  pass(access(payload, access_cost_));
  if (calls_) calls_->add_accesses(1, local_time() - start);
  spend(category::memory);
  payload.clear_extension(&add);
  return before;
}

void native_core::set_interrupt(int line, bool is_up) {
  const std::uint64_t bit = std::uint64_t{1} << line;
  interrupts_up_ = is_up ? interrupts_up_ | bit : interrupts_up_ & ~bit;
  interrupts_seen_ &= interrupts_up_;
  if (is_up) interrupt_why_ = running_cause::copy();
  if (is_up) interrupt_.notify(sc_core::SC_ZERO_TIME);
}

void native_core::wait_for_interrupt() {
  pass(call_cost_);
  synchronize();
  waited_at_ = {call_site()};
  loop_.forget();
  interrupts_seen_ = interrupts_up_;
  if (interrupts_up_ != 0) return;
  const fs_t since = now_fs();
  activity_.begin_wait(core_activity::state::interrupt,
                       "an interrupt, since " + format_duration(since));
  while (interrupts_up_ == 0) sc_core::wait(interrupt_);
  interrupts_seen_ = interrupts_up_;
  if (calls_) calls_->add_sleep(now_fs() - since);
  why().join(interrupt_why_);
  spend(category::completion);
  activity_.end_wait();
}

bool native_core::is_interrupt_pending() {
  pass(call_cost_);
  synchronize();
  return interrupts_up_ != 0;
}

std::uint64_t native_core::device(std::uint32_t block, std::uint32_t instance) {
  if (const core_device* const found = devices().find(block, instance)) return found->base;
  fail_call(devices().missing_text(block, instance));
}

std::uint32_t native_core::next_job() {
  synchronize();
  const fs_t since = now_fs();
  activity_.begin_wait(core_activity::state::job, "the next job");
  job_ = sim().service<job_board>().next(*this, job_);
  if (calls_) calls_->add_sleep(now_fs() - since);
  activity_.end_wait();
  activity_.show_job(job_);
  return job_;
}

void native_core::mark(job_mark mark, std::uint32_t job) {
  synchronize();
  spend(category::firmware);
  const std::string wrong = sim().service<job_board>().mark(*this, mark, job, now_fs());
  if (!wrong.empty()) fail_call(wrong);
  if (mark == job_mark::start) pass(timing_.launch_cost);
}

std::uint64_t native_core::time_ns() {
  loop_.forget();  // it gives up by itself
  pass(call_cost_);
  return (local_time()) / fs_per_ns;
}

void native_core::log(const char* text, std::uint64_t value) {
  if (!text) fail_call("a text for the log at 0x0 cannot be read");
  const std::string said = fmt::format("{} {:#x}", text, value);
  spdlog::info("{} {}: {}", format_duration(local_time()), path(), said);
  activity_.note_log(said);
}

void native_core::exit(int code) {
  guard_->leave();
  synchronize();
  check_unfinished(sim(), *this);
  check_interrupts(sim(), *this, interrupts_seen_, waited_at_);
  if (code != 0)
    control_.fail(fmt::format("{}: firmware '{}' ended with code {} at {}{}", path(), firmware_,
                              code, format_duration(now_fs()), activity_.last_words()));
  activity_.show(core_activity::state::finished);
  control_.core_finishes();
  halt();
}

// The thread's stack holds firmware frames that cannot be unwound: it sleeps until the end.
void native_core::halt() {
  sc_core::sc_event never;
  for (;;) sc_core::wait(never);
}

void native_core::debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) {
  bus_.view().write(address, from, bytes);
}

void native_core::debug_read(std::uint64_t address, void* to, std::uint64_t bytes) {
  bus_.view().read(address, to, bytes);
}

}  // namespace heddle
