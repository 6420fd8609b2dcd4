// Runs kernels on the streaming multiprocessors of a GPU, one after another, as a stream does:
// firmware starts a list of descriptors (sw/drivers/kernel_list.h), the engine reads it from
// memory, and each kernel is a batch of thread blocks in a pool of SMs (models/gpu/sm/sm_pool.hpp).
// Times follow from the rates (kernel_rates.hpp), or from the descriptor where they were measured.
//
// The engine computes nothing. Whoever does (a workload) listens and is told, without simulated
// time, when a list begins, when each of its kernels ends, and when the list ends.
//
// Limitations: kernels do not overlap; thread blocks of a kernel are alike; L2 keeps nothing from a
// kernel to the next; HBM has no other traffic meanwhile.
#pragma once

#include <string>
#include <vector>

#include "models/gpu/kernels/kernel_engine_parameters.hpp"
#include "models/gpu/kernels/kernel_engine_regs.hpp"
#include "models/gpu/sm/sm_pool.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/registers/operation_status.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/interrupt_events.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/prompt_requester.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

class kernel_engine;

class kernel_listener {
 public:
  virtual void list_begins(std::uint32_t engine, std::uint32_t tag, fs_t when) = 0;
  virtual void kernel_ended(std::uint32_t engine, std::uint32_t tag, std::uint32_t index,
                            fs_t begin, fs_t end) = 0;
  // Before firmware can see it.
  virtual void list_ended(std::uint32_t engine, std::uint32_t tag, fs_t when) = 0;

 protected:
  ~kernel_listener() = default;
};

// All engines of a run: simulation::service<kernel_engine_directory>().
struct kernel_engine_directory {
  std::vector<kernel_engine*> engines;
};

class kernel_engine final : public unit, private sm_pool::listener {
 public:
  using parameters = kernel_engine_parameters;
  using counters = kernel_engine_counters;
  static std::vector<port_description> port_descriptions();

  kernel_engine(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

  const kernel_rates& rates() const { return rates_; }
  std::uint64_t capacity() const { return capacity_; }  // bytes of HBM
  const register_file& registers() const { return regs_; }
  // nullptr: nobody. `number`: as the listener knows the engine.
  void tell(kernel_listener* who, std::uint32_t number) {
    told_ = who;
    number_ = number;
  }

 private:
  using error = kernel_engine_regs::status_error;

  void start();
  bool read_list();
  bool is_sensible(const kernel_descriptor& kernel) const;
  void submit();
  void batch_done(int group, const sm_batch& batch) override;
  void kernel_ended();
  void finish();
  void fail(error reason, const std::string& what);
  void tell_end();

  const kernel_rates rates_;
  const std::uint64_t capacity_;
  const fs_t tick_;
  kernel_engine_counters counters_;
  kernel_engine_registers regs_;
  operation_status<kernel_engine_registers> status_;
  register_socket registers_socket_;
  prompt_requester memory_;
  memory_initiator_port memory_port_;
  interrupt_events<kernel_engine_registers> events_;
  sm_pool pool_;
  timed_call submit_, ended_, finish_;
  kernel_listener* told_ = nullptr;
  std::uint32_t number_ = 0;

  // The list at hand.
  std::vector<kernel_descriptor> list_;
  std::uint32_t tag_ = 0;
  cause why_;  // of the list that runs
  std::size_t next_ = 0;
  std::uint64_t operands_ = 0;  // numbered through: no kernel finds those of another
  fs_t started_ = 0, kernel_started_ = 0;

  trace_signal<std::string_view> kernel_trace_;
};

}  // namespace heddle
