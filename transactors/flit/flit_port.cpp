#include "transactors/flit/flit_port.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/link_directory.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {
namespace {

[[maybe_unused]] const bool link_is_registered = [] {
  registry::instance().add(link_type{"flit", "joins two flit ports, a flit a cycle each way",
                                     [] { return std::make_unique<flit_link_parameters>(); }});
  return true;
}();

}  // namespace

const char* name_of(flit_op op) {
  switch (op) {
    case flit_op::unicast:
      return "unicast";
    case flit_op::multicast:
      return "multicast";
    case flit_op::collect_b:
      return "CollectB";
    case flit_op::lsb_and:
      return "LsbAnd";
    case flit_op::select_aw:
      return "SelectAW";
    case flit_op::add_f64:
      return "FP64 add";
    case flit_op::max_f64:
      return "FP64 max";
  }
  return "";
}

flit_port::flit_port(unit& owner, const clock_member& clock, const std::string& name, int index,
                     arrival_wheel& arrivals, const timing& timed)
    : port(owner, name),
      clock_(clock),
      arrivals_(arrivals),
      head_grace_(static_cast<std::uint8_t>(timed.head_grace)),
      index_(index),
      pipeline_(timed.pipeline) {}

void flit_port::check_peer(const flit_port& far) const {
  if (&clock_.domain() != &far.clock_.domain())
    throw user_error(
        fmt::format("{} has a clock of {} fs, {} one of {} fs: a flit link joins units "
                    "of one clock domain",
                    path(), clock_.domain().period(), far.path(), far.clock_.domain().period()));
}

void flit_port::connect(port& other, const parameter_set* link) {
  auto* far = dynamic_cast<flit_port*>(&other);
  if (!far) throw user_error(path() + " is a flit port, " + other.path() + " is a " + other.kind());
  check_peer(*far);
  const auto& parameters = dynamic_cast<const flit_link_parameters&>(*link);
  peer_ = far;
  far->peer_ = this;
  for (flit_port* end : {this, far}) end->prepare(parameters);
  auto& directory = owner().sim().service<link_directory>();
  directory.has_untimed = true;
  for (const flit_port* end : {this, far})
    directory.links.push_back(
        {end->path(), end->peer_->path(),
         static_cast<std::uint64_t>(end->flit_bytes_) * fs_per_s / end->period_,
         end->latency_ * end->period_, &end->counters_.flits, &end->counters_.bytes,
         &end->counters_.payload, &end->counters_.busy, &end->counters_.credit_stalls, nullptr});
  auto& network = owner().sim().service<flit_network>();
  network.add_channel(*this, *far);
  network.add_channel(*far, *this);
}

void flit_port::prepare(const flit_link_parameters& link) {
  latency_ = static_cast<std::uint8_t>(link.latency());
  vcs_ = static_cast<std::uint8_t>(link.vcs());
  buffer_ = static_cast<int>(link.buffer());
  flit_bytes_ = static_cast<std::uint16_t>(link.flit().bytes);
  period_ = clock_.domain().period();
  std::fill_n(credits_.begin(), vcs_, static_cast<std::uint16_t>(buffer_));
  for (std::uint16_t vc = 0; vc < vcs_; ++vc) rings_[vc] = {vc, vc};
  cells_end_ = vcs_ * buffer_;
  constexpr std::size_t line = std::tuple_size_v<decltype(flit_line::flits)>;
  buffers_.resize((static_cast<std::size_t>(cells_end_) + line - 1) / line);
  cells_ = buffers_.front().flits.data();
  arrivals_.reserve(cycle_t{latency_} + static_cast<cycle_t>(peer_->pipeline_) + head_grace_);
  std::size_t returning = 1;
  while (returning < latency_) returning *= 2;
  if (returning > few_.size()) many_.resize(returning);
  last_returning_ = static_cast<std::uint8_t>(returning - 1);
  mark_bound();
}

void flit_port::check_flit(std::uint64_t bytes) const {
  if (!is_bound() || flit_bytes_ == bytes) return;
  throw user_error(
      fmt::format("the link from {} to {} has `flit: {} B`, a flit of {} has {} B of data: a link "
                  "moves a flit a cycle, so state `flit: {} B`",
                  path(), peer_->path(), flit_bytes_, path(), bytes, bytes));
}

std::size_t flit_port::bytes() const {
  return sizeof *this + many_.size() * sizeof(stamp) + buffers_.size() * sizeof(flit_line);
}

// The far end wakes this one when it returns a credit from now on; what is on its way already
// wakes it here.
bool flit_port::wait_for_credit(int vc, cycle_t now) {
  const auto channel = static_cast<std::uint16_t>(1U << vc);
  if (!(blocked_vcs_ & channel)) ++counters_.credit_stalls;
  blocked_vcs_ = static_cast<std::uint16_t>(blocked_vcs_ | channel);
  for (int i = 0; i <= last_returning_; ++i)
    if (is_under_way(returning()[i], vc, now)) clock_.wake(returning()[i] >> vc_bits);
  return false;
}

}  // namespace heddle
