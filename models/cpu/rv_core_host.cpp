// What firmware asks of the platform, and how a program ends.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "models/cpu/rv/cause_names.hpp"
#include "models/cpu/rv/csr_file.hpp"
#include "models/cpu/rv/decoder.hpp"
#include "models/cpu/rv/disassembler.hpp"
#include "models/cpu/rv_core.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/job_board.hpp"

namespace heddle {

void rv_core::connect_host_registers() {
  regs_.boot.set(resources_.window);
  regs_.time_ns.computed_by([this] { return local_time() / fs_per_ns; });
  regs_.next_job.on_read([this] { return next_job(); });
  regs_.exit.on_write([this](std::uint32_t, std::uint32_t code) { exit(static_cast<int>(code)); });
  const auto mark = [this](job_mark which, std::uint32_t job) {
    spend(category::firmware);
    sim().service<job_board>().mark(*this, which, job, now_fs());
  };
  regs_.start_mark.on_write([this, mark](std::uint32_t, std::uint32_t job) {
    mark(job_mark::start, job);
    pass_until(local_time() + timing_.launch_cost);
  });
  regs_.end_mark.on_write([mark](std::uint32_t, std::uint32_t job) { mark(job_mark::end, job); });
  regs_.log.on_write([this](std::uint32_t, std::uint32_t) { log(regs_.log_value.value()); });
  regs_.atomic.on_write([this](std::uint32_t, std::uint32_t) { add_for_firmware(); });
  regs_.poll.on_write([this](std::uint32_t, std::uint32_t) { start_or_end_poll(); });
}

std::uint32_t rv_core::next_job() {
  waiting_for_ = "the next job";
  show(activity::job);
  const fs_t since = now_fs();
  job_ = sim().service<job_board>().next(*this, job_);
  if (observer_) observer_->add_sleep(now_fs() - since);
  waiting_for_.clear();
  show(activity::run);
  job_trace_.set(job_, now_fs());
  return job_;
}

void rv_core::log(std::uint64_t value) {
  constexpr std::size_t most = 200;
  std::string text;
  for (std::uint64_t at = regs_.log_text.value(); text.size() < most; ++at) {
    char next = 0;
    if (!view_.try_read(at, &next, 1) || next == 0) break;
    text += next;
  }
  spdlog::info("{} {}: {} {:#x}", format_duration(now_fs()), path(), text, value);
}

// A core of 32 bits has no atomic addition of 64: its bus interface does it.
void rv_core::add_for_firmware() {
  using kind = firmware_host_regs::atomic_kind;
  const std::uint64_t address = regs_.atomic_address.value();
  std::uint64_t value = regs_.atomic_operand.value();
  const bool is_posted = regs_.atomic.kind.get() == kind::POST;
  const rv::atomic_access addition{address, sizeof value, atomic_operation::add, value, 0};
  if (is_posted ? !post_modify(addition) : !modify(addition, value))
    fail(fmt::format("{}: bus error: addition at {} at {}{}, {}", path(), view_.described(address),
                     format_duration(refused_.when), refused_.reason, place()));
  if (!is_posted) regs_.atomic_result.set(value);
}

void rv_core::start_or_end_poll() {
  using condition = firmware_host_regs::poll_condition;
  const condition asked = regs_.poll.condition.get();
  if (asked == condition::NONE) {
    if (polled_.is_active) {
      counters_.poll_time += now_fs() - polled_.since;
      if (observer_) observer_->add_poll(now_fs() - polled_.since);
      explain_poll();
    }
    polled_.is_active = false;
    return show(activity::run);
  }
  spend(category::firmware);
  poll_begun_ = why();
  polled_ = {true,
             asked == condition::EQUAL ? "to equal" : "to reach",
             regs_.poll_address.value(),
             regs_.poll_value.value(),
             now_fs(),
             now_fs(),
             sim().service<link_directory>().wire_bytes()};
  show(activity::poll);
}

// It has waited for what wrote the word, unless that was there before.
void rv_core::explain_poll() {
  if (seen_.when() <= poll_begun_.when()) return;
  why() = seen_;
  spend(category::completion);
}

std::string rv_core::polled_text() const {
  return fmt::format("{} {} {:#x}, since {}", view_.described(polled_.address), polled_.what,
                     polled_.value, format_duration(polled_.since));
}

// A function of the HAL says little, and so does a place where no function is: then also who called
// it.
std::string rv_core::place() const {
  constexpr unsigned ra = 1;
  const std::uint64_t pc = hart_->current_pc() - moved_;  // as it was linked
  std::string text = "pc " + symbols_.describe(pc);
  const std::uint64_t call = hart_->reg(ra) - 2 - moved_;
  const std::string function = symbols_.function_at(pc);
  const bool is_lost = function.empty() && !is_handler_missing();
  if (function.rfind("hal_", 0) == 0 || (is_lost && !symbols_.function_at(call).empty()))
    text += ", called from " + symbols_.describe(call);
  return text;
}

// Of a handler that is not there, what it was wanted for comes first.
std::string rv_core::trap_text() const {
  const rv::trap_record& trap = hart_->unhandled();
  if (!is_handler_missing()) return trap_text(trap);
  return fmt::format("{}, and its handler is not there (mtvec {:#x}): {}", first_trap_text(),
                     csr_value(rv::csr::mtvec), trap_text(trap));
}

std::uint64_t rv_core::csr_value(rv::csr number) const {
  std::uint64_t value = 0;
  hart_->read_csr(static_cast<unsigned>(number), value);
  return value;
}

bool rv_core::is_handler_missing() const {
  return hart_->unhandled().cause == rv::trap_cause::fetch_access && csr_value(rv::csr::mtvec) != 0;
}

std::string rv_core::first_trap_text() const {
  return rv::cause_text(csr_value(rv::csr::mcause), hart_->xlen()) + " at pc " +
         symbols_.describe(csr_value(rv::csr::mepc));
}

std::string rv_core::trap_text(const rv::trap_record& trap) const {
  using rv::trap_cause;
  switch (trap.cause) {
    case trap_cause::fetch_access:
    case trap_cause::load_access:
    case trap_cause::store_access:
      return fmt::format("bus error: {} of {} bytes at {} at {}{}", refused_.what, refused_.bytes,
                         view_.described(trap.value), format_duration(refused_.when),
                         refused_.reason);
    case trap_cause::breakpoint:
      return "ebreak: an assertion or __builtin_trap?";
    case trap_cause::load_misaligned:
      return fmt::format("misaligned load at {:#x}", trap.value);
    case trap_cause::store_misaligned:
      return fmt::format("misaligned store at {:#x}", trap.value);
    default:
      return fmt::format("illegal instruction {:#x}{}", trap.value, illegal_text(trap.value));
  }
}

// Which instruction it would be, if there were what it names: a CSR, most of all.
std::string rv_core::illegal_text(std::uint64_t bits) const {
  const auto word = static_cast<std::uint32_t>(bits);
  const rv::instruction decoded = rv::decode(word, hart_->xlen());
  if (decoded.op == rv::opcode::illegal) return "";
  std::string text = rv::disassemble(decoded, 0, hart_->xlen()).text;
  std::replace(text.begin(), text.end(), '\t', ' ');
  return " (" + text + ")";
}

// Where the pc would go is no place.
void rv_core::refuse_interrupt() {
  const std::uint64_t pending = csr_value(rv::csr::mip) & csr_value(rv::csr::mie);
  std::string which;
  for (const rv::interrupt each :
       {rv::interrupt::external, rv::interrupt::software, rv::interrupt::timer})
    if (which.empty() && (pending >> static_cast<unsigned>(each) & 1) != 0) which = name_of(each);
  synchronize();
  fail(fmt::format("{}: {} interrupt without a handler (mtvec is 0), {}", path(), which, place()));
}

void rv_core::end_unhandled() {
  synchronize();
  const rv::trap_record& trap = hart_->unhandled();
  constexpr unsigned a0 = 10;
  if (is_handler_missing()) fail(fmt::format("{}: {}, {}", path(), trap_text(), place()));
  if (trap.cause == rv::trap_cause::machine_ecall) exit(static_cast<int>(hart_->reg(a0)));
  fail(fmt::format("{}: {}, {}", path(), trap_text(), place()));
}

// As the public RISC-V tests do: 1 is success, an odd number holds the test that failed, an even
// one is the address of four words that ask for a service; the upper 16 bits are a device and a
// command.
void rv_core::write_tohost(std::uint64_t value) {
  if (value == 0) return;
  synchronize();
  constexpr std::uint64_t put_character = 0x0101;
  if (value >> 48 == put_character) return write_console(static_cast<char>(value));
  if ((value & 1) == 0) return serve_tohost(value);
  exit(static_cast<int>(static_cast<std::uint32_t>(value) >> 1));
}

void rv_core::answer_fromhost(std::uint64_t value) {
  if (fromhost_) write_for_host(*fromhost_, &value, sizeof value);
}

void rv_core::write_for_host(std::uint64_t address, const void* from, std::uint64_t bytes) {
  if (view_.try_access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes)) return;
  fail(fmt::format("{}: program '{}' wants an answer at {}, {}", path(), program_,
                   view_.described(address), place()));
}

void rv_core::write_console(char character) {
  std::fputc(character, stdout);
  std::fflush(stdout);
  constexpr std::uint64_t is_put = std::uint64_t{0x0101} << 48;
  answer_fromhost(is_put);
}

// The one service is write(): number 64, file, address, bytes. Its answer goes to `fromhost`.
void rv_core::serve_tohost(std::uint64_t request) {
  constexpr std::uint64_t write_service = 64, most_bytes = 1 << 20;
  std::array<std::uint64_t, 4> words{};
  const bool is_read = view_.try_read(request, words.data(), sizeof words);
  const auto [service, file, address, bytes] = words;
  std::string text(is_read && bytes <= most_bytes ? bytes : 0, '\0');
  if (!is_read || service != write_service || !fromhost_ || text.size() != bytes ||
      !view_.try_read(address, text.data(), bytes))
    fail(fmt::format("{}: program '{}' asks tohost for what there is not ({:#x}), {}", path(),
                     program_, request, place()));
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  write_for_host(request, &bytes, sizeof bytes);
  answer_fromhost(1);
}

void rv_core::exit(int code) {
  synchronize();
  if (code != 0 && debug_.host) debug_.host->fails(*this);
  if (code != 0)
    sim().service<run_control>().fail(fmt::format("{}: firmware '{}' ended with code {} at {}",
                                                  path(), program_, code,
                                                  format_duration(now_fs())));
  show(activity::finished);
  sim().service<run_control>().core_finishes();
  halt();
}

void rv_core::fail(const std::string& what) {
  sim().service<run_control>().fail(what);
  end_in_fault();
}

void rv_core::end_in_fault() {
  counters_.instructions.raise_to(hart_->instructions());
  if (debug_.host) debug_.host->fails(*this);
  show(activity::fault);
  halt();
}

void rv_core::halt() {
  is_over_ = true;
  if (observer_) observer_->rest();
  sc_core::sc_event never;
  for (;;) sc_core::wait(never);
}

}  // namespace heddle
