#include "models/cpu/rv_core/rv_core.hpp"

#include <fmt/format.h>

#include <cstring>

#include "models/cpu/firmware_files.hpp"
#include "platform/buffers/buffer_watch.hpp"
#include "platform/firmware/firmware_names.hpp"
#include "platform/services/cut_short.hpp"
#include "platform/services/run_control.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/parameter_mistake.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(rv64_core,
                     describe_unit<rv64_core>("rv64_core", "runs firmware built for RV64GC",
                                              firmware_host_regs::markdown));
HEDDLE_REGISTER_UNIT(rv32_core,
                     describe_unit<rv32_core>("rv32_core", "runs firmware built for RV32GC",
                                              firmware_host_regs::markdown));

// Unless the compiler optimizes, the operations of a block call one another.
constexpr int stack_bytes = 256 * 1024;
constexpr unsigned ra = 1, a0 = 10;

core_accesses::costs access_costs(const rv_core_parameters& p) {
  core_accesses::costs made;
  made.read_cycles = p.access_cost().fs / p.cycle().fs;
  made.write_cycles = p.write_cycles();
  made.synchronizes = p.sync_accesses();
  return made;
}

}  // namespace

std::vector<port_description> rv_core::port_descriptions() {
  return {{"bus", "memory initiator", "every access outside local memory"},
          {"irq[interrupts]", "interrupt input", "external interrupts, level-sensitive"},
          {"software", "interrupt input", "MSIP, from a clint"},
          {"timer", "interrupt input", "MTIP, from a clint"}};
}

rv_core::rv_core(const unit_context& context, const parameters& p, int xlen)
    : unit(context),
      resources_(p.resources()),
      tick_(p.tick().fs),
      is_tick_set_(!p.tick.is_default()),
      hart_(rv::make_hart(xlen, *this, p.costs(), p.misaligned.index() == 1)),
      program_(*this, *hart_),
      clock_(*hart_, p.cycle().fs, p.quantum().fs, counters_.instructions),
      activity_(trace_scope(context.sim.trace(), context.path)),
      window_(context, p.host().value),
      bus_(*this, *this, *this),
      memory_(bus_.socket(), p.local().value, p.local_size().bytes),
      interrupts_(*this, *hart_, static_cast<int>(p.interrupts())),
      debugged_(*this, *hart_, clock_, bus_.view(), window_),
      end_(*this, clock_, activity_, program_, debugged_),
      poll_(*this, bus_, clock_, activity_, end_, counters_, p.timing().poll_limit),
      accesses_(bus_, *hart_, clock_, activity_, end_, poll_, counters_, access_costs(p)),
      host_(*this, *this, window_, bus_, clock_, activity_, end_, poll_, accesses_,
            p.timing().launch_cost),
      tohost_(bus_.view(), *hart_, program_, clock_, end_),
      shared_(program_, *hart_) {
  bus_.on_withdrawal = [this] {
    memory_.forget();
    hart_->forget_direct_pages();
  };
  bus_.set_private(p.local().value, p.local_size().bytes);
  end_.on_exit = [this] { check_end(); };
  hart_->set_hart_number(p.hart());
  hart_->set_reg(a0, p.hart());  // as boot loaders leave it
  if (p.elf().empty() && p.firmware().empty()) {
    tell_of_no_program();
    return;
  }
  read_program(p);
  observe();
  sim().service<debug_directory>().targets.push_back(&debugged_);
  if (resources_.window_bytes > 0) sim().service<rank_directory>().cores.push_back(this);
  if (p.elf().empty()) sim().service<firmware_names>().by_core[this] = p.firmware();
  sim().service<run_control>().core_starts();
  sc_core::sc_spawn_options options;
  options.set_stack_size(stack_bytes);
  sc_core::sc_spawn([this] { run(); }, "firmware", &options);
}

void rv_core::tell_of_no_program() {
  sim().service<system_findings>().afterwards.emplace_back([this] {
    return std::vector<std::string>{path() + " slept: `elf` or `firmware` names its program"};
  });
}

void rv_core::read_program(const parameters& p) {
  const parameter<std::string>& named = p.elf().empty() ? p.firmware : p.elf;
  on_behalf_of(named.name().c_str(), [&] {
    const std::string file =
        p.elf().empty() ? find_firmware_file(named(), hart_->xlen(), sim().settings().folder)
                        : named();
    program_.read(named(), file, memory_.begin());
  });
  tohost_.connect();
}

void rv_core::observe() {
  observer_ = program_observer::make(sim(), path(), *hart_, program_.symbols(), clock_.cycle(),
                                     activity_.function());
  program_observer* const by = observer_.get();
  clock_.observe(by);
  end_.observe(by);
  poll_.observe(by);
  accesses_.observe(by);
  host_.observe(by);
}

void rv_core::find_timer() {
  for (const core_device& each : devices().all()) {
    timer_ = dynamic_cast<const machine_timer*>(sim().find_unit(each.registers->path()));
    if (timer_) break;
  }
  if (!timer_ || !is_tick_set_ || tick_ == timer_->tick()) return;
  throw user_error(fmt::format(
      "{}: its `time` CSR is the mtime of a clint, whose tick is {}: leave `tick` of the core out",
      path(), exact_duration(timer_->tick())));
}

void rv_core::start_of_simulation() {
  find_timer();
  if (!program_.is_there()) return;
  program_.load(bus_.view());
  if (tohost_.address()) hart_->watch_stores(*tohost_.address());
  if (sim().service<buffer_directory>().is_on) program_.watch_code();
}

void rv_core::run() {
  activity_.show(core_activity::state::run);
  debugged_.start();
  bool is_inside_block = false;  // where a debugger stopped it: everything goes on as it was
  for (;;) {
    debugged_.wait_while_held();
    clock_.look_ahead();
    if (!is_inside_block) take_interrupt();
    const rv::stop_reason reason = hart_->run(is_inside_block ? hart_->limit() : clock_.limit());
    if (!rv::is_of_debugger(reason)) tohost_.finish();
    if (reason == rv::stop_reason::unhandled) end_unhandled();
    if (rv::is_of_debugger(reason)) debugged_.stop(reason);
    is_inside_block = rv::is_of_debugger(reason) && !hart_->is_due();
    if (reason == rv::stop_reason::wait)
      sleep();
    else if (!is_inside_block && clock_.is_quantum_over())
      clock_.synchronize();
  }
}

void rv_core::take_interrupt() {
  if (hart_->is_interrupted() && csr_value(*hart_, rv::csr::mtvec) == 0) {
    clock_.synchronize();
    end_.fail(pending_interrupt(*hart_) + " interrupt without a handler (mtvec is 0)");
  }
  if (hart_->take_interrupt()) ++counters_.interrupts;
}

// What the program has begun must be over.
void rv_core::check_end() {
  check_unfinished(sim(), *this);
  check_interrupts(sim(), *this, interrupts_.external_seen(), waited_at_);
}

void rv_core::report_overwritten(std::uint64_t address, std::uint64_t value) {
  register_audit record;
  record.time = clock_.now();
  record.path = path();
  record.reason = fmt::format(
      "writes {:#x} over its own instructions at {:#x}, in {}: check the "
      "address, or link code that is to be written into a writable segment",
      value, address, program_.function_at(address));
  record.initiator = path();
  record.place = line_at({hart_->current_pc(), hart_->reg(ra)}).text();
  report_contract(sim(), std::move(record));
}

// A jump to itself is what remains of an endless loop that does nothing.
std::string rv_core::awaited() const {
  constexpr std::uint64_t mie = 1U << 3;
  const bool is_interruptible =
      (csr_value(*hart_, rv::csr::mstatus) & mie) != 0 && csr_value(*hart_, rv::csr::mie) != 0;
  const std::string since = ", since " + format_duration(now_fs());
  if (!hart_->is_in_idle_loop()) return "an interrupt" + since;
  return (is_interruptible ? "an interrupt" : "nothing: it is") +
         (" in an endless loop, a jump to itself" + since);
}

void rv_core::sleep() {
  clock_.synchronize();
  waited_at_ = {hart_->current_pc(), hart_->reg(ra)};
  poll_.forget_loop();
  interrupts_.note_seen();
  if (hart_->is_woken()) return;
  const fs_t since = now_fs();
  activity_.begin_wait(core_activity::state::interrupt, awaited());
  if (observer_) observer_->rest();
  interrupts_.wait();
  interrupts_.note_seen();
  activity_.end_wait();
  counters_.sleep_time += now_fs() - since;
  if (observer_) observer_->add_sleep(now_fs() - since);
  clock_.pass_until(now_fs());
}

void rv_core::end_unhandled() {
  clock_.synchronize();
  if (observer_) observer_->trap_unhandled();
  if (hart_->unhandled().cause == rv::trap_cause::machine_ecall)
    end_.exit(static_cast<int>(hart_->reg(a0)));
  end_.fail(unhandled_trap_text(*hart_, program_.symbols(), bus_.view(), accesses_.refused()));
}

unsigned char* rv_core::direct_page(std::uint64_t address) {
  return window_.holds(address) ? nullptr : memory_.page(address);
}

bool rv_core::load(std::uint64_t address, unsigned bytes, std::uint64_t& value) {
  tohost_.finish();
  if (!window_.holds(address)) return accesses_.load(address, bytes, value);
  value = 0;
  return host_.access(tlm::TLM_READ_COMMAND, address, &value, bytes);
}

bool rv_core::store(std::uint64_t address, unsigned bytes, std::uint64_t value) {
  if (window_.holds(address)) return host_.access(tlm::TLM_WRITE_COMMAND, address, &value, bytes);
  if (tohost_.holds(address)) {
    tohost_.store(address, bytes, value);
    value = 0;  // taken
  } else {
    tohost_.finish();
  }
  if (unsigned char* page = direct_page(address)) {  // whose stores are watched
    std::memcpy(page + address % page_bytes, &value, bytes);
    if (program_.is_code(address)) report_overwritten(address, value);
    if (shared_.holds(address)) accesses_.note_local_store();
    return true;
  }
  interrupts_.forget_seen();
  const bool is_accepted = accesses_.store(address, bytes, value);
  if (bus_.origin().device && memory_.is_local(value)) shared_.add(value);
  return is_accepted;
}

std::string rv_core::waiting_for() const {
  if (poll_.is_active()) return poll_.text() + ", " + program_.position();
  if (!activity_.waiting_for().empty()) return activity_.waiting_for() + ", " + program_.position();
  const bool computes = program_.is_there() && !end_.is_over() && sim().service<cut_short>().is_so;
  return computes ? "nothing: it computes, " + program_.position() : "";
}

void rv_core::debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) {
  bus_.view().write(address, from, bytes);
}

void rv_core::debug_read(std::uint64_t address, void* to, std::uint64_t bytes) {
  bus_.view().read(address, to, bytes);
}

}  // namespace heddle
