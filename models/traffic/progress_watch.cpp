#include "models/traffic/progress_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platform/services/run_control.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/quantity.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {
namespace {

// Whether packets may be all that it has to do with: a switch, or a terminal.
bool only_carries(const unit& u, const std::set<const unit*>& served) {
  const auto is_of_packets = [](const port* each) {
    return dynamic_cast<const packet_port*>(each) != nullptr;
  };
  return served.count(&u) == 0 && std::any_of(u.ports().begin(), u.ports().end(), is_of_packets);
}

}  // namespace

void progress_watch::start(const unit& terminal, fs_t limit) {
  limit_ = std::min(limit_, limit);
  due_ = limit_;
  if (sim_) return;
  sim_ = &terminal.sim();
  const fabric& net = sim_->service<fabric>();
  std::set<const unit*> served;
  for (std::size_t id = 0; id < net.endpoints(); ++id) {
    const endpoint_record& each = net.endpoint(static_cast<endpoint_id>(id));
    if (!each.is_apart) served.insert(each.owner);
  }
  for (const unit* each : sim_->units())
    if (each->statistics() && !only_carries(*each, served)) watched_.push_back(each);
}

std::uint64_t progress_watch::work_done() const {
  std::uint64_t sum = 0;
  for (const unit* each : watched_)
    for (const statistic* of_unit : each->statistics()->all()) sum += of_unit->raw();
  return sum;
}

void progress_watch::look(fs_t now) {
  due_ = now + limit_;
  const std::uint64_t work = work_done();
  run_control& control = sim_->service<run_control>();
  if (work == last_ && control.running_cores() > 0)
    control.fail(
        fmt::format("hang: for {} nothing but synthetic traffic has happened, and the "
                    "firmware of {} has not finished",
                    format_duration(limit_), counted(control.running_cores(), "core")));
  last_ = work;
}

}  // namespace heddle
