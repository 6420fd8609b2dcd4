// Where firmware plays the groups of the persistent kernel: a ring of commands of dynamic multimem
// in memory, and queues of rows and tokens that are ready. Where the hub plays them itself, what is
// ready goes on at once.
//
// Limitations: lists of targets are read without bandwidth; commands that were taken from the ring
// wait here without limit.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/kernel_groups.hpp"
#include "models/gpu/hub/token_lists.hpp"
#include "platform/time/timed_queue.hpp"
#include "sw/drivers/dymultimem_command.h"

namespace heddle {

class sm_groups;
class token_combine;
class token_dispatch;
class token_tracker;
class vector_mover;

class firmware_groups final : private hub_part {
 public:
  // Registers from `posted` to `issue_gemm2`. What commands ask for goes to `dispatch` and
  // `combine`, rows to `sms`; `tracker` is told how many experts a token is stored at.
  firmware_groups(hub_core& core, token_lists& lists, token_tracker& tracker,
                  token_dispatch& dispatch, token_combine& combine, sm_groups& sms,
                  vector_mover& mover);

  void configure();
  bool plays() const { return groups_.are_firmware(); }

  // Commands that were taken before the layer began.
  void run_commands();
  // A command is done, in any order.
  void command_completed();
  void row_ready(token_step step, std::uint32_t row);
  // All experts of an own token are done with it.
  void token_ready(std::uint32_t own);

 private:
  struct read_command {
    dymultimem_command command{};
    cause why;
  };

  void connect();
  std::uint32_t pop_row(token_step step);
  std::uint32_t pop_token();
  void read_commands(std::uint32_t posted);
  void take_commands();
  void run(const dymultimem_command& command);
  void run_store(const dymultimem_command& command, std::uint32_t own);
  void run_fetch(const dymultimem_command& command, std::uint32_t own);
  void issue_row(token_step step, std::uint32_t row);

  token_hub_registers& regs_;
  token_lists& lists_;
  token_tracker& tracker_;
  token_dispatch& dispatch_;
  token_combine& combine_;
  sm_groups& sms_;
  vector_mover& mover_;
  kernel_groups groups_;
  std::uint32_t read_ = 0;                   // commands of the ring, free-running
  timed_queue<read_command> on_the_way_;     // from the ring
  std::deque<dymultimem_command> taken_;     // in front of a layer that has not begun
  std::vector<std::uint16_t> fetched_from_;  // the list of the fetch at hand
};

}  // namespace heddle
