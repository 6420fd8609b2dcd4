#include "models/cpu/rv_core/firmware_host.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "platform/workload/job_board.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {

firmware_host::firmware_host(const unit& core, rank_core& rank, host_window& window, core_bus& bus,
                             core_clock& clock, core_activity& activity, program_end& end,
                             poll_watch& poll, core_accesses& accesses, fs_t launch_cost)
    : core_(core),
      rank_(rank),
      window_(window),
      registers_(window.registers()),
      bus_(bus),
      clock_(clock),
      activity_(activity),
      end_(end),
      poll_(poll),
      accesses_(accesses),
      launch_cost_(launch_cost),
      job_(job_board::no_job) {
  using word = std::uint32_t;
  registers_.boot.set(rank.resources().window);
  registers_.time_ns.computed_by([this] {
    poll_.forget_loop();  // it gives up by itself
    return clock_.now() / fs_per_ns;
  });
  registers_.next_job.on_read([this] { return next_job(); });
  registers_.exit.on_write([this](word, word code) { end_.exit(static_cast<int>(code)); });
  registers_.start_mark.on_write([this](word, word job) {
    mark(job_mark::start, job);
    clock_.pass_until(clock_.now() + launch_cost_);
  });
  registers_.end_mark.on_write([this](word, word job) { mark(job_mark::end, job); });
  registers_.log.on_write([this](word, word) { log(registers_.log_value.value()); });
  registers_.atomic.on_write([this](word, word) { add(); });
  registers_.missing_instance.on_write([this](word, word instance) { miss_device(instance); });
  registers_.poll.on_write([this](word, word) { start_or_end_poll(); });
}

bool firmware_host::access(tlm::tlm_command command, std::uint64_t address, void* data,
                           unsigned bytes) {
  clock_.synchronize();
  tlm::tlm_generic_payload payload;  // a call may let others run: not one that is shared
  set_access(payload, command, address, data, bytes);
  const std::uint64_t refusals = bus_.audit().count();
  const tlm::tlm_response_status response = window_.access(payload);
  clock_.resume();
  if (response == tlm::TLM_OK_RESPONSE) return true;
  accesses_.note_own_refusal(payload, now_fs(), bus_.audit().count() > refusals);
  return false;
}

std::uint32_t firmware_host::next_job() {
  const fs_t since = now_fs();
  activity_.begin_wait(core_activity::state::job, "the next job");
  job_ = core_.sim().service<job_board>().next(rank_, job_);
  if (observer_) observer_->add_sleep(now_fs() - since);
  activity_.end_wait();
  activity_.show_job(job_);
  return job_;
}

void firmware_host::mark(job_mark which, std::uint32_t job) {
  bus_.spend(category::firmware, clock_.now());
  const std::string wrong = core_.sim().service<job_board>().mark(rank_, which, job, now_fs());
  if (!wrong.empty()) end_.fail(wrong);
}

void firmware_host::log(std::uint64_t value) {
  constexpr std::size_t most = 200;
  std::string text;
  for (std::uint64_t at = registers_.log_text.value(); text.size() < most; ++at) {
    char next = 0;
    if (!bus_.view().try_read(at, &next, 1))
      end_.fail(fmt::format("a text for the log at {} cannot be read",
                            bus_.view().described(registers_.log_text.value())));
    if (next == 0) break;
    text += next;
  }
  text += fmt::format(" {:#x}", value);
  spdlog::info("{} {}: {}", format_duration(now_fs()), core_.path(), text);
  activity_.note_log(text);
}

// A core of 32 bits has no atomic addition of 64: its bus interface does it, and refuses what
// amoadd.d of a core of 64 bits does.
void firmware_host::add() {
  using kind = firmware_host_regs::atomic_kind;
  const std::uint64_t address = registers_.atomic_address.value();
  std::uint64_t value = registers_.atomic_operand.value();
  if (address % sizeof value != 0) end_.fail(fmt::format("misaligned store at {:#x}", address));
  const bool is_posted = registers_.atomic.kind.get() == kind::POST;
  const rv::atomic_access addition{address, sizeof value, atomic_operation::add, value, 0};
  if (is_posted ? !accesses_.post_modify(addition) : !accesses_.modify(addition, value))
    end_.fail(fmt::format("bus error: addition at {} at {}{}", bus_.view().described(address),
                          format_duration(accesses_.refused().when), accesses_.refused().reason));
  if (!is_posted) registers_.atomic_result.set(value);
}

void firmware_host::miss_device(std::uint32_t instance) {
  const std::uint32_t block = registers_.missing_block.value();
  const std::string what =
      rank_.devices().find(block, instance)
          ? fmt::format(
                "firmware finds no table of devices at {:#x}: the boot block needs memory "
                "of the core's own, `window` and `window_size`",
                rank_.resources().window)
          : rank_.devices().missing_text(block, instance);
  end_.fail(what, registers_.missing_line.value());
}

void firmware_host::start_or_end_poll() {
  using condition = firmware_host_regs::poll_condition;
  const condition asked = registers_.poll.condition.get();
  if (asked == condition::NONE) return poll_.end();
  poll_.begin(asked == condition::EQUAL ? "to equal" : "to reach", registers_.poll_address.value(),
              registers_.poll_value.value());
}

}  // namespace heddle
