#include "models/gpu/kernels/kernel_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/compute_directory.hpp"
#include "platform/text/counted.hpp"
#include "platform/time/time_limits.hpp"
#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(kernel_engine,
                     describe_unit<kernel_engine>("kernel_engine",
                                                  "streaming multiprocessors of a GPU that run "
                                                  "kernels one after another",
                                                  kernel_engine_regs::markdown));

sm_rates pool_rates(const kernel_rates& rates) {
  sm_rates result;
  result.flops_of_sm = rates.fp16_flops * rates.efficiency / static_cast<double>(rates.sms);
  result.hbm = rates.hbm;
  result.hbm_latency = rates.hbm_latency;
  result.l2_bytes = 0;
  return result;
}

}  // namespace

std::vector<port_description> kernel_engine::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "where lists of kernels lie"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"}};
}

kernel_engine::kernel_engine(const unit_context& context, const parameters& p)
    : unit(context),
      rates_(p.rates()),
      capacity_(p.capacity().bytes),
      tick_(p.tick().fs),
      regs_(context),
      status_(regs_, trace_scope(sim().trace(), path()), kernel_engine_regs::status_state_names()),
      registers_socket_(*this, "registers", regs_),
      memory_("memory", *this),
      memory_port_(*this, "memory", memory_.socket()),
      events_(*this, regs_),
      pool_(*this, pool_rates(rates_)),
      submit_(timed_call::to<kernel_engine, &kernel_engine::submit>(*this)),
      ended_(timed_call::to<kernel_engine, &kernel_engine::kernel_ended>(*this)),
      finish_(timed_call::to<kernel_engine, &kernel_engine::finish>(*this)) {
  pool_.add_group(static_cast<std::uint32_t>(rates_.sms));
  regs_.start.on_write([this](std::uint64_t, std::uint64_t) { start(); });
  sim().service<compute_directory>().flops_per_second += rates_.fp16_flops;
  sim().service<kernel_engine_directory>().engines.push_back(this);
  energy_book& book = sim().service<energy_book>();
  if (p.flop_energy() > 0)
    book.enter({path(), "flop", quantity::count, &counters_.flops, 1, p.flop_energy()});
  if (p.hbm_energy() > 0)
    book.enter({path(), "hbm", quantity::bytes, &counters_.bytes, 1, p.hbm_energy()});
  kernel_trace_ = trace_scope(sim().trace(), path()).text("kernel");
  kernel_trace_.set("", 0);
}

void kernel_engine::start() {
  if (!status_.takes_start()) {
    ++counters_.errors;
    return;
  }
  started_ = now_fs();
  why_ = running_cause::copy();
  tag_ = static_cast<std::uint32_t>(regs_.tag.value());
  next_ = 0;
  status_.begin();
  if (!read_list()) return;
  if (told_) told_->list_begins(number_, tag_, started_);
}

// The first kernel begins when the list is here.
bool kernel_engine::read_list() {
  const std::uint64_t kernels = regs_.kernels.value();
  if (kernels == 0 || kernels > KERNEL_LONGEST_LIST) {
    fail(error::BAD_LIST, fmt::format("a list of {} kernels", kernels));
    return false;
  }
  list_.assign(kernels, {});
  const auto bytes = static_cast<std::uint32_t>(kernels * sizeof(kernel_descriptor));
  const prompt_requester::answer read =
      memory_.access(tlm::TLM_READ_COMMAND, regs_.list.value(), list_.data(), bytes, now_fs(),
                     /*is_carried=*/true);
  if (!read.is_ok) {
    fail(error::BUS, fmt::format("no list at {:#x}", regs_.list.value()));
    return false;
  }
  for (const kernel_descriptor& each : list_)
    if (!is_sensible(each)) {
      fail(error::BAD_KERNEL, fmt::format("kernel {} of the list", &each - list_.data()));
      return false;
    }
  submit_.at(read.done);
  return true;
}

bool kernel_engine::is_sensible(const kernel_descriptor& kernel) const {
  const bool takes_time =
      kernel.time > 0 || kernel.bytes > 0 || kernel.block_flops > 0 || kernel.block_bytes > 0;
  return kernel.blocks > 0 && kernel.precision <= KERNEL_FP8 && takes_time &&
         rates_.seconds_of(kernel) <= seconds(longest_duration) &&
         kernel.name[KERNEL_NAME_BYTES - 1] == 0;
}

void kernel_engine::submit() {
  const kernel_descriptor& kernel = list_[next_];
  kernel_started_ = now_fs();
  kernel_trace_.set(kernel.name, kernel_started_);
  sm_batch batch;
  batch.operands = ++operands_;
  if (kernel.time > 0) {
    batch.block_time = kernel.time;
  } else {
    // An SM takes one block after another while operands stream in: as one block, for the pool.
    batch.blocks = static_cast<std::uint32_t>(rates_.active_sms(kernel));
    batch.block_time = rates_.waves(kernel) * rates_.block_time(kernel);
    batch.operand_bytes = kernel.bytes;
  }
  pool_.submit(0, batch);
}

void kernel_engine::batch_done(int, const sm_batch&) {
  const bool is_measured = list_[next_].time > 0;
  ended_.at(now_fs() + (is_measured ? 0 : rates_.ramp));
}

void kernel_engine::kernel_ended() {
  const kernel_descriptor& kernel = list_[next_];
  const fs_t now = now_fs();
  ++counters_.kernels;
  if (kernel.time > 0) ++counters_.measured;
  counters_.flops += kernel.flops;
  counters_.bytes += kernel.bytes;
  kernel_trace_.set("", now);
  if (told_)
    told_->kernel_ended(number_, tag_, static_cast<std::uint32_t>(next_), kernel_started_, now);
  if (++next_ < list_.size()) return submit();
  finish_.at((now + tick_ - 1) / tick_ * tick_);
}

void kernel_engine::finish() {
  const fs_t now = now_fs();
  counters_.busy += now - started_;
  ++counters_.lists;
  if (told_) told_->list_ended(number_, tag_, now);
  why_.then(category::compute, site(), now);
  const running_cause finishing(why_);
  status_.end();
  tell_end();
}

// A list that is refused has ended: whoever waits for it reads the status.
void kernel_engine::fail(error reason, const std::string& what) {
  ++counters_.errors;
  status_.fail(reason, what);
  tell_end();
}

void kernel_engine::tell_end() {
  constexpr std::uint32_t list_ended = 1;
  regs_.completed.add(1);
  events_.raise(list_ended);
}

std::string kernel_engine::waiting_for() const {
  if (!status_.is_busy()) return {};
  if (next_ == list_.size())
    return fmt::format("the tick that ends a list of {}", counted(list_.size(), "kernel"));
  return fmt::format("kernel {} of {}, {}", next_ + 1, list_.size(), list_[next_].name);
}

}  // namespace heddle
