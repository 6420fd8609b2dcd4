// Commands of dynamic multimem from a ring in memory, and queues of rows and tokens that are ready:
// what firmware needs that plays the groups of the persistent kernel.
#include "models/gpu/hub/token_hub.hpp"
#include "platform/number/power_of_two.hpp"

namespace heddle {

void token_hub::connect_commands() {
  regs_.posted.on_write([this](std::uint32_t, std::uint32_t posted) { read_commands(posted); });
  regs_.ready_gemm1.on_read([this] { return groups_.pop_row(token_step::gemm1); });
  regs_.ready_gemm2.on_read([this] { return groups_.pop_row(token_step::gemm2); });
  regs_.ready_token.on_read([this] {
    constexpr unsigned count_pos = 16;
    const std::uint32_t own = groups_.pop_token();
    return own == kernel_groups::none ? own : own | list_of(own).count << count_pos;
  });
  regs_.issue_gemm1.on_write(
      [this](std::uint32_t, std::uint32_t row) { issue_row(token_step::gemm1, row); });
  regs_.issue_gemm2.on_write(
      [this](std::uint32_t, std::uint32_t row) { issue_row(token_step::gemm2, row); });
}

// The doorbell: commands lie in the ring up to that free-running count.
void token_hub::read_commands(std::uint32_t posted) {
  const std::uint32_t entries = regs_.ring_entries.value();
  const bool is_ring = is_power_of_two(entries);
  if (!groups_.are_firmware() || !is_ring || posted - commands_read_ > entries)
    return fail(error::COMMAND, 0, 0);
  for (; commands_read_ != posted; ++commands_read_) {
    dymultimem_command command{};
    const std::uint64_t at = regs_.ring.value() + commands_read_ % entries * sizeof command;
    if (!debug(tlm::TLM_READ_COMMAND, at, &command, sizeof command)) return;
    const fs_t read = access(tlm::TLM_READ_COMMAND, at, {}, sizeof command, now_fs());
    if (read == fs_never) return;
    commands_.push(read, command);
  }
}

void token_hub::take_commands() {
  for (dymultimem_command due{}; commands_.pop_due(now_fs(), due);) {
    commands_in_.push_back(due);
    regs_.taken.set(regs_.taken.value() + 1);
  }
  run_commands();
  if (regs_.taken.value() == commands_read_) events_.raise(ready_bit);  // the ring is empty
}

void token_hub::run_commands() {
  while (is_running_ && !commands_in_.empty()) {
    const dymultimem_command next = commands_in_.front();
    commands_in_.pop_front();
    run(next);
  }
  pump();
}

void token_hub::run(const dymultimem_command& command) {
  const bool stores = command.op == DYMULTIMEM_ST;
  const bool is_known = (stores && command.stage == DYMULTIMEM_DISPATCH) ||
                        (command.op == DYMULTIMEM_LD_REDUCE && command.stage == DYMULTIMEM_COMBINE);
  const std::uint64_t from_range = command.address - layer_.range;
  const std::uint64_t bytes = bsize(stores ? token_stage::dispatch : token_stage::combine);
  const std::uint64_t token = from_range / bytes;
  const bool is_own =
      from_range % bytes == 0 && token >= first_token() && token - first_token() < layer_.tokens;
  const auto number = static_cast<std::uint32_t>(token);
  if (!is_known || !is_own) return fail(error::COMMAND, number, 0);
  const std::uint32_t own = number - first_token();
  if (!(stores ? groups_.may_store(own) : groups_.may_fetch(own)))
    return fail(error::COMMAND, number, 0);
  if (command.count > layer_.topk) return fail(error::COUNT, number, command.count);
  stores ? run_store(command, own) : run_fetch(command, own);
}

void token_hub::run_store(const dymultimem_command& command, std::uint32_t own) {
  std::uint16_t* list = lists_.data() + std::size_t{own} * (1 + layer_.topk);
  list[0] = static_cast<std::uint16_t>(command.count);
  const std::uint64_t list_bytes = command.count * sizeof list[0];
  if (!debug(tlm::TLM_READ_COMMAND, command.list, list + 1, list_bytes)) return;
  if (!check_list(own, list_of(own))) return;
  own_[own].input = command.value;
  plan_dispatch(own);
  if (own_[own].unstored == 0) command_completed();
}

// A fetch may name other experts than the store of its token, whose acknowledgments may still be
// under way. They count for the experts of the store, so the list of a fetch is not kept.
void token_hub::run_fetch(const dymultimem_command& command, std::uint32_t own) {
  fetched_from_.resize(command.count);
  const std::uint64_t list_bytes = command.count * sizeof fetched_from_[0];
  if (!debug(tlm::TLM_READ_COMMAND, command.list, fetched_from_.data(), list_bytes)) return;
  const token_list list{fetched_from_.data(), command.count};
  if (!check_list(own, list)) return;
  own_[own].result = command.value;
  combine(own, list);
}

// All of a token's experts have acknowledged so many more bytes of it.
void token_hub::stored_everywhere(own_token& token, std::uint64_t bytes) {
  if (!groups_.are_firmware()) return;
  token.unstored -= bytes;
  if (token.unstored == 0) command_completed();
}

void token_hub::command_completed() {
  if (groups_.are_firmware()) regs_.commands_completed.set(regs_.commands_completed.value() + 1);
}

// Firmware gives a row to the SMs.
void token_hub::issue_row(token_step step, std::uint32_t row) {
  if (!groups_.may_issue(step, row)) return fail(error::COMMAND, 0, 0);
  submit(step, row);
}

void token_hub::row_ready(token_step step, std::uint32_t row) {
  if (!groups_.are_firmware()) return submit(step, row);
  groups_.row_ready(step, row);
  events_.raise(ready_bit);
}

void token_hub::token_may_return(std::uint32_t own) {
  if (!groups_.are_firmware()) return combine(own, list_of(own));
  groups_.token_ready(own);
  events_.raise(ready_bit);
}

}  // namespace heddle
