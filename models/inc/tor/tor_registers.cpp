// What software sees of the middle pipes.
#include <algorithm>

#include "models/inc/tor/tor.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

tor::tor(const unit_context& context, const parameters& p)
    : unit(context),
      cycle_(p.cycle().fs),
      lookup_(p.lookup()),
      cache_bytes_(p.cache().bytes),
      slots_(p.buffer().bytes / p.mtu().bytes / classes),
      carries_data_(sim().settings().carries_data),
      directory_(sim().service<gather_directory>()),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      switch_port_(*this, "switch", *this),
      ready_(timed_call::to<tor, &tor::end_invalidating>(*this)) {
  together_.cycle = cycle_;
  together_.delay = p.delay();
  together_.mtu = static_cast<std::uint32_t>(p.mtu().bytes);
  together_.pool = static_cast<std::uint32_t>(p.pool());
  concatenator::check(together_, path());
  check_class_buffer(path(), "buffer", p.buffer().bytes, together_.mtu);
  regs_.control.delay.set(static_cast<std::uint32_t>(p.delay()));
  regs_.control.on_write([this](std::uint32_t, std::uint32_t) { set_control(); });
  regs_.kernel.on_write([this](std::uint32_t, std::uint32_t now) { kernel_ = now & 0xff; });
  regs_.invalidate.on_write([this](std::uint32_t, std::uint32_t) { invalidate(); });
}

void tor::set_control() {
  const bool is_busy = std::any_of(pipes_.begin(), pipes_.end(), [](const auto& each) {
    return !each->inside[0].empty() || !each->inside[1].empty() || !each->together.empty();
  });
  if (is_busy) return regs_.report(regs_.control, "packets are in the middle pipes");
  is_enabled_ = regs_.control.enable.get() == tor_regs::control_enable::MIDDLE;
  uses_cache_ = regs_.control.cache.get() == tor_regs::control_cache::YES;
  takes_all_ = regs_.control.scope.get() == tor_regs::control_scope::ALL;
  for (const auto& each : pipes_) each->together.set(true, regs_.control.delay.get());
}

// One register write, and a cycle a set (the source is silent).
void tor::invalidate() {
  length_ = regs_.length.value();
  for (const auto& each : pipes_)
    if (length_ > 0 && length_ <= property_cache::longest_line)
      each->cache.reset(length_, carries_data_);
  ready_at_ = now_fs() + property_cache::sets_of_segment * cycle_;
  regs_.status.state.set(tor_regs::status_state::INVALIDATING);
  ready_.at(ready_at_);
}

void tor::end_invalidating() {
  if (now_fs() < ready_at_) return ready_.at(ready_at_);
  regs_.status.state.set(tor_regs::status_state::READY);
}

}  // namespace heddle
