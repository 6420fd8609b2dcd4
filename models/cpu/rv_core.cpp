#include "models/cpu/rv_core.hpp"

#include <fmt/format.h>

#include "models/cpu/firmware_files.hpp"
#include "platform/services/cut_short.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/job_board.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(rv64_core,
                     describe_unit<rv64_core>("rv64_core", "runs firmware built for RV64IMAC",
                                              firmware_host_regs::markdown));
HEDDLE_REGISTER_UNIT(rv32_core,
                     describe_unit<rv32_core>("rv32_core", "runs firmware built for RV32IMAC",
                                              firmware_host_regs::markdown));

// Unless the compiler optimizes, the operations of a block call one another.
constexpr int stack_bytes = 256 * 1024;

}  // namespace

rv::cycle_costs rv_core_parameters::costs() const {
  using rv::instruction_class;
  rv::cycle_costs made;
  const auto set = [&made](instruction_class c, const parameter<std::uint64_t>& cycles) {
    made[c] = static_cast<std::uint32_t>(cycles());
  };
  set(instruction_class::alu, alu);
  set(instruction_class::mul, mul);
  set(instruction_class::div, div);
  set(instruction_class::load, load);
  set(instruction_class::store, store);
  set(instruction_class::branch, branch);
  set(instruction_class::jump, jump);
  set(instruction_class::atomic, atomic);
  set(instruction_class::system, system);
  made.taken = static_cast<std::uint32_t>(taken());
  made.trap = static_cast<std::uint32_t>(trap());
  return made;
}

std::vector<port_description> rv_core::port_descriptions() {
  return {{"bus", "memory initiator", "every access outside local memory"},
          {"irq[interrupts]", "interrupt input", "external interrupts, level-sensitive"},
          {"software", "interrupt input", "MSIP, from a clint"},
          {"timer", "interrupt input", "MTIP, from a clint"}};
}

rv_core::rv_core(const unit_context& context, const parameters& p, int xlen)
    : unit(context),
      resources_(p.resources()),
      timing_(p.timing()),
      cycle_(p.cycle().fs),
      quantum_(p.quantum().fs),
      tick_(p.tick().fs),
      local_(p.local().value),
      local_bytes_(p.local_size().bytes),
      host_(p.host().value),
      read_cycles_(p.access_cost().fs / p.cycle().fs),
      write_cycles_(p.write_cycles()),
      synchronizes_(p.sync_accesses()),
      debug_(context.sim.service<debug_directory>()),
      audit_(context.sim.service<register_audit_log>()),
      regs_(context),
      bus_("bus"),
      bus_port_(*this, "bus", bus_),
      view_(bus_, path()),
      hart_(rv::make_hart(xlen, *this, p.costs(), p.misaligned.index() == 1)),
      posted_(context.sim, *this, view_),
      mmio_log_(mmio_log::of(context.sim)),
      job_(job_board::no_job) {
  origin_.initiator = this;
  for (int i = 0; i < static_cast<int>(p.interrupts()); ++i)
    interrupt_ports_.push_back(
        std::make_unique<interrupt_input_port>(*this, fmt::format("irq[{}]", i), *this, i));
  interrupt_ports_.push_back(
      std::make_unique<interrupt_input_port>(*this, "software", *this, software_line));
  interrupt_ports_.push_back(
      std::make_unique<interrupt_input_port>(*this, "timer", *this, timer_line));
  bus_.register_invalidate_direct_mem_ptr(this, &rv_core::forget_direct);
  connect_host_registers();
  const trace_scope scope(sim().trace(), path());
  activity_trace_ = scope.state<activity>(
      "activity", {"IDLE", "RUN", "POLL", "WAIT_IRQ", "WAIT_JOB", "FINISHED", "FAULT"});
  function_trace_ = scope.text("function");
  job_trace_ = scope.vector("job", 16);
  hart_->set_hart_number(p.hart());
  choose_program(p);
}

// A core that is in the middle of an access still has its extensions in the payload, which would
// delete them.
rv_core::~rv_core() {
  payload_.clear_extension(&posted_.extension());
  payload_.clear_extension(&atomic_);
}

void rv_core::choose_program(const parameters& p) {
  if (p.elf().empty() && p.firmware().empty()) return;
  program_ = p.elf().empty() ? p.firmware() : p.elf();
  const int xlen = hart_->xlen();
  image_ = elf_image::read(
      p.elf().empty() ? find_firmware_file(p.firmware(), xlen, sim().settings().folder) : p.elf());
  if (image_->xlen() != xlen)
    throw user_error(fmt::format("{}: {} has {} bits, {} has {}", path(), image_->name(),
                                 image_->xlen(), path(), xlen));
  symbols_ = symbol_table(*image_);
  tohost_ = image_->address_of("tohost");
  fromhost_ = image_->address_of("fromhost");
  // A program that may lie anywhere (sw/start/moving.ld) goes to the start of the core's memory.
  if (const auto linked = image_->address_of("__moves_from")) moved_ = local_ - *linked;
  hart_->set_pc(image_->entry() + moved_);
  hart_->set_reg(10, p.hart());  // a0, as boot loaders leave it
  observer_ = program_observer::make(sim(), path(), *hart_, symbols_, cycle_, function_trace_);
  debug_.targets.push_back(this);
  if (resources_.window_bytes > 0) sim().service<rank_directory>().cores.push_back(this);
  sim().service<run_control>().core_starts();
  sc_core::sc_spawn_options options;
  options.set_stack_size(stack_bytes);
  sc_core::sc_spawn([this] { run(); }, "firmware", &options);
}

void rv_core::start_of_simulation() {
  if (!image_) return;
  for (const elf_segment& each : image_->segments()) load(each);
  if (tohost_) hart_->watch_stores(*tohost_);
}

void rv_core::load(const elf_segment& segment) {
  static const std::vector<std::byte> zeros(std::size_t{1} << 16);
  const std::uint64_t bytes = segment.bytes.size() + segment.zeros,
                      begin = segment.address + moved_;
  const auto refuse = [&](const std::string& why) {
    throw user_error(
        fmt::format("{}: the segment of {} bytes at {:#x} {}", image_->name(), bytes, begin, why));
  };
  for (const std::uint64_t at : {begin, begin + bytes - 1})
    if (const std::string name = view_.register_name(at); !name.empty())
      refuse(fmt::format("lies over registers ({}), not memory of {}", name, path()));
  const auto put = [&](std::uint64_t at, const std::byte* from, std::uint64_t count) {
    auto* const data = const_cast<std::byte*>(from);
    if (!view_.try_access(tlm::TLM_WRITE_COMMAND, at, data, count))
      refuse("does not lie in memory of " + path());
  };
  put(begin, segment.bytes.data(), segment.bytes.size());
  for (std::uint64_t done = 0; done < segment.zeros;) {
    const std::uint64_t part = std::min<std::uint64_t>(segment.zeros - done, zeros.size());
    put(begin + segment.bytes.size() + done, zeros.data(), part);
    done += part;
  }
}

void rv_core::run() {
  show(activity::run);
  if (debug_.host) debug_.host->starts(*this);
  bool is_inside_block = false;  // where a debugger stopped it: everything goes on as it was
  for (;;) {
    if (observer_) observer_->look_ahead(local_time(), quantum_);
    if (!is_inside_block && hart_->is_interrupted() && csr_value(rv::csr::mtvec) == 0)
      refuse_interrupt();
    if (!is_inside_block && hart_->take_interrupt()) ++counters_.interrupts;
    const rv::stop_reason reason = hart_->run(is_inside_block ? hart_->limit() : limit());
    if (reason == rv::stop_reason::unhandled) end_unhandled();
    if (rv::is_of_debugger(reason)) tell_debugger(reason);
    is_inside_block = rv::is_of_debugger(reason) && !hart_->is_due();
    if (reason == rv::stop_reason::wait)
      sleep();
    else if (!is_inside_block && local_time() >= now_fs() + quantum_)
      synchronize();
  }
}

void rv_core::sleep() {
  synchronize();
  if (hart_->is_woken()) return;
  const fs_t since = now_fs();
  waiting_for_ = "an interrupt, since " + format_duration(since);
  show(activity::interrupt);
  if (observer_) observer_->rest();
  while (!hart_->is_woken()) sc_core::wait(interrupt_);
  show(activity::run);
  waiting_for_.clear();
  counters_.sleep_time += now_fs() - since;
  if (observer_) observer_->add_sleep(now_fs() - since);
  pass_until(now_fs());
}

std::uint64_t rv_core::limit() const {
  return hart_->is_interrupted() ? 0 : cycles_until(now_fs() + quantum_);
}

void rv_core::pass_until(fs_t when) {
  const std::uint64_t cycles = cycles_until(when);
  if (cycles > hart_->cycles()) hart_->pass(cycles - hart_->cycles());
}

void rv_core::synchronize() {
  counters_.instructions.raise_to(hart_->instructions());
  const fs_t here = local_time();
  if (here > now_fs()) sc_core::wait(to_sc_time(here - now_fs()));
  pass_until(now_fs());
  hart_->set_limit(limit());
  if (observer_) observer_->look_ahead(local_time(), quantum_);
}

void rv_core::set_interrupt(int line, bool is_up) {
  if (line == software_line) {
    hart_->set_pending(rv::interrupt::software, is_up);
  } else if (line == timer_line) {
    hart_->set_pending(rv::interrupt::timer, is_up);
  } else {
    const std::uint64_t bit = std::uint64_t{1} << line;
    external_up_ = is_up ? external_up_ | bit : external_up_ & ~bit;
    hart_->set_pending(rv::interrupt::external, external_up_ != 0);
  }
  if (hart_->is_interrupted()) hart_->set_limit(0);
  if (hart_->is_woken()) interrupt_.notify(sc_core::SC_ZERO_TIME);
}

std::string rv_core::waiting_for() const {
  if (polled_.is_active) return polled_text() + ", " + place();
  if (!waiting_for_.empty()) return waiting_for_ + ", " + place();
  const bool computes = image_ && !is_over_ && sim().service<cut_short>().is_so;
  return computes ? "nothing: it computes, " + place() : "";
}

// A function of the HAL says little: then who called it.
code_line rv_core::line_at(const code_place& place) const {
  if (place.address == 0) return {};
  const bool is_hal = symbols_.function_at(place.address - moved_).rfind("hal_", 0) == 0;
  const std::uint64_t at = (is_hal ? place.caller - 2 : place.address) - moved_;
  const source_line line = symbols_.line_at(at);
  return {symbols_.function_at(at), line.file, line.line};
}

void rv_core::debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) {
  view_.write(address, from, bytes);
}

void rv_core::debug_read(std::uint64_t address, void* to, std::uint64_t bytes) {
  view_.read(address, to, bytes);
}

}  // namespace heddle
