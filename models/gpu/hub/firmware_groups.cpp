#include "models/gpu/hub/firmware_groups.hpp"

#include "models/gpu/hub/sm_groups.hpp"
#include "models/gpu/hub/token_combine.hpp"
#include "models/gpu/hub/token_dispatch.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "models/gpu/hub/vector_mover.hpp"
#include "platform/number/power_of_two.hpp"

namespace heddle {

firmware_groups::firmware_groups(hub_core& core, token_lists& lists, token_tracker& tracker,
                                 token_dispatch& dispatch, token_combine& combine, sm_groups& sms,
                                 vector_mover& mover)
    : hub_part(core),
      regs_(core.registers),
      lists_(lists),
      tracker_(tracker),
      dispatch_(dispatch),
      combine_(combine),
      sms_(sms),
      mover_(mover),
      on_the_way_(
          timed_queue<read_command>::to<firmware_groups, &firmware_groups::take_commands>(*this)) {
  connect();
}

void firmware_groups::connect() {
  regs_.posted.on_write([this](std::uint32_t, std::uint32_t posted) { read_commands(posted); });
  regs_.ready_gemm1.on_read([this] { return pop_row(token_step::gemm1); });
  regs_.ready_gemm2.on_read([this] { return pop_row(token_step::gemm2); });
  regs_.ready_token.on_read([this] { return pop_token(); });
  regs_.issue_gemm1.on_write(
      [this](std::uint32_t, std::uint32_t row) { issue_row(token_step::gemm1, row); });
  regs_.issue_gemm2.on_write(
      [this](std::uint32_t, std::uint32_t row) { issue_row(token_step::gemm2, row); });
}

void firmware_groups::configure() {
  groups_.clear(layer_.groups == TOKEN_GROUPS_FIRMWARE, tracker_.rows(), layer_.tokens);
  taken_.clear();
}

// Nothing of a layer that has failed is handed out any more.
std::uint32_t firmware_groups::pop_row(token_step step) {
  return status_.has_failed() ? kernel_groups::none : groups_.pop_row(step);
}

// Which token, and how many experts it has.
std::uint32_t firmware_groups::pop_token() {
  constexpr unsigned count_pos = 16;
  if (status_.has_failed()) return kernel_groups::none;
  const std::uint32_t own = groups_.pop_token();
  return own == kernel_groups::none ? own : own | lists_.of(own).count << count_pos;
}

// Commands -------------------------------------------------------------------------------------

// The doorbell: commands lie in the ring up to that free-running count.
void firmware_groups::read_commands(std::uint32_t posted) {
  const std::uint32_t entries = regs_.ring_entries.value();
  const bool is_ring = is_power_of_two(entries);
  if (!plays() || !is_ring || posted - read_ > entries) return status_.fail(error::COMMAND, 0, 0);
  for (; read_ != posted; ++read_) {
    dymultimem_command command{};
    const std::uint64_t at = regs_.ring.value() + read_ % entries * sizeof command;
    if (!memory_.debug(tlm::TLM_READ_COMMAND, at, &command, sizeof command)) return;
    cause why = running_cause::copy();
    const running_cause reading(why);
    const fs_t read = memory_.access(tlm::TLM_READ_COMMAND, at, {}, sizeof command, now_fs());
    if (read == fs_never) return;
    why.then(category::doorbell, site_, read);
    on_the_way_.push(read, {command, why});
  }
}

void firmware_groups::take_commands() {
  cause latest;
  for (read_command due; on_the_way_.pop_due(now_fs(), due);) {
    latest = due.why;
    taken_.push_back(due.command);
    regs_.taken.add(1);
  }
  const running_cause taken(latest);
  run_commands();
  if (regs_.taken.value() == read_) status_.tell_ready();  // the ring is empty
}

void firmware_groups::run_commands() {
  while (status_.is_running() && !taken_.empty()) {
    const dymultimem_command next = taken_.front();
    taken_.pop_front();
    run(next);
  }
  mover_.pump();
}

void firmware_groups::run(const dymultimem_command& command) {
  const bool stores = command.op == DYMULTIMEM_ST;
  const bool is_known = (stores && command.stage == DYMULTIMEM_DISPATCH) ||
                        (command.op == DYMULTIMEM_LD_REDUCE && command.stage == DYMULTIMEM_COMBINE);
  const std::uint64_t from_range = command.address - layer_.range;
  const std::uint64_t bytes = layer_.bsize(stores ? token_stage::dispatch : token_stage::combine);
  const std::uint64_t token = from_range / bytes;
  const std::uint32_t first = layer_.first_token();
  const bool is_own = from_range % bytes == 0 && token >= first && token - first < layer_.tokens;
  const auto number = static_cast<std::uint32_t>(token);
  if (!is_known || !is_own) return status_.fail(error::COMMAND, number, 0);
  const std::uint32_t own = number - first;
  if (!(stores ? groups_.may_store(own) : groups_.may_fetch(own)))
    return status_.fail(error::COMMAND, number, 0);
  if (command.count > layer_.topk) return status_.fail(error::COUNT, number, command.count);
  stores ? run_store(command, own) : run_fetch(command, own);
}

void firmware_groups::run_store(const dymultimem_command& command, std::uint32_t own) {
  if (!lists_.read(own, command.list, command.count)) return;
  tracker_.expect(own, static_cast<std::uint16_t>(command.count));
  dispatch_.dispatch(own, command.value);
}

// A fetch may name other experts than the store of its token, whose acknowledgments may still be
// under way. They count for the experts of the store, so the list of a fetch is not kept.
void firmware_groups::run_fetch(const dymultimem_command& command, std::uint32_t own) {
  fetched_from_.resize(command.count);
  const std::uint64_t list_bytes = command.count * sizeof fetched_from_[0];
  if (!memory_.debug(tlm::TLM_READ_COMMAND, command.list, fetched_from_.data(), list_bytes)) return;
  const token_list list{fetched_from_.data(), command.count};
  if (lists_.check(own, list)) combine_.fetch(own, list, command.value);
}

void firmware_groups::command_completed() {
  if (plays()) regs_.commands_completed.add(1);
}

// What is ready --------------------------------------------------------------------------------

// Firmware gives a row to the SMs. It may have taken the row before it could know of an error.
void firmware_groups::issue_row(token_step step, std::uint32_t row) {
  if (status_.has_failed()) return;
  if (!groups_.may_issue(step, row)) return status_.fail(error::COMMAND, 0, 0);
  sms_.multiply(step, row);
}

void firmware_groups::row_ready(token_step step, std::uint32_t row) {
  if (status_.has_failed()) return;
  if (!plays()) return sms_.multiply(step, row);
  groups_.row_ready(step, row);
  status_.tell_ready();
}

void firmware_groups::token_ready(std::uint32_t own) {
  if (status_.has_failed()) return;
  if (!plays()) return combine_.fetch(own, lists_.of(own));
  groups_.token_ready(own);
  status_.tell_ready();
}

}  // namespace heddle
