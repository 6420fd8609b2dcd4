#include "transactors/flit/flit_port.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/number/power_of_two.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_buffers.hpp"

namespace heddle {
namespace {

[[maybe_unused]] const bool link_is_registered = [] {
  registry::instance().add(link_type{"flit", "joins two flit ports, a flit a cycle each way",
                                     [] { return std::make_unique<flit_link_parameters>(); }});
  return true;
}();

}  // namespace

std::string text_of(mesh_position position) {
  return fmt::format("({}, {})", position.x, position.y);
}

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
    case flit_op::min_f64:
      return "FP64 min";
    case flit_op::add_f32:
      return "FP32 add";
    case flit_op::max_f32:
      return "FP32 max";
    case flit_op::min_f32:
      return "FP32 min";
    case flit_op::add_f16:
      return "FP16 add";
    case flit_op::max_f16:
      return "FP16 max";
    case flit_op::min_f16:
      return "FP16 min";
    case flit_op::add_f8:
      return "FP8 add";
    case flit_op::max_f8:
      return "FP8 max";
    case flit_op::min_f8:
      return "FP8 min";
  }
  return "";
}

flit_port::flit_port(unit& owner, const clock_member& clock, const std::string& name, int index,
                     arrival_wheel& arrivals, const timing& timed, const halves& kept)
    : port(owner, name),
      clock_(clock),
      receiver_(timed.receiver ? *timed.receiver : clock),
      arrivals_(arrivals),
      out_(kept.transmitter),
      in_(kept.receiver),
      index_(index),
      pipeline_(static_cast<std::uint16_t>(timed.pipeline)),
      head_grace_(static_cast<std::uint8_t>(timed.head_grace)) {
  if (out_) return;
  own_ = std::make_unique<own_halves>();
  out_ = &own_->transmitter;
  in_ = &own_->receiver;
}

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
  if (&clock_.lane() != &far->clock_.lane())
    for (flit_port* end : {this, far}) end->cross();
  for (flit_port* end : {this, far}) end->aim();
  const fs_t period = clock_.domain().period();
  auto& directory = owner().sim().service<link_directory>();
  for (const flit_port* end : {this, far}) {
    const std::uint64_t flit_bytes = end->flit_bytes_;
    directory.links.push_back({end, end->peer_, end, flit_bytes * fs_per_s / period,
                               end->latency() * period, &clock_.domain().latest_start(),
                               flit_bytes * static_cast<std::uint64_t>(end->buffer_)});
  }
}

void flit_port::prepare(const flit_link_parameters& link) {
  buffer_ = static_cast<int>(link.buffer());
  flit_bytes_ = static_cast<std::uint16_t>(link.flit().bytes);
  in_->latency = out_->latency = static_cast<std::uint8_t>(link.latency());
  vcs_ = static_cast<std::uint8_t>(link.vcs());
  const auto stride = power_of_two_from(link.vcs()),
             cells = stride * power_of_two_from(link.buffer());
  in_->cell_stride = out_->cell_stride = static_cast<std::uint8_t>(stride);
  in_->last_cell = out_->last_cell = static_cast<std::uint16_t>(cells - 1);
  for (int vc = 0; vc < vcs(); ++vc)
    out_->by_vc[vc] = {static_cast<std::int16_t>(buffer_ - out_->most_under_way()),
                       static_cast<std::uint16_t>(vc)};
  in_->cells = owner().sim().service<flit_buffers>().take(cells);
  if (!arrivals_.is_owned()) arrivals_.belong_to(receiver_, head_grace_);
  arrivals_.reserve(latency() + peer_->pipeline_ + head_grace_, 0);
  returns_.owner = &clock_;
  const std::size_t returning = power_of_two_from(latency());
  if (returning > out_->few.size()) returns_.many = std::make_unique<credit_stamp[]>(returning);
  out_->returns = &returns_;
  out_->last_returning = static_cast<std::uint8_t>(returning - 1);
  own_channels_ = std::make_unique<flit_channel[]>(link.vcs());
  listen_from(first_channel_, own_channels_.get());
  mark_bound();
}

void flit_port::aim() {
  out_->far_first_channel = peer_->first_channel_;
  if (crossing_receiver_) {
    crossing_receiver_->aim(*peer_->returns_.crossing);
    returns_.crossing->aim(*peer_->crossing_receiver_, peer_->arrivals_.head_grace());
  } else {
    in_->far = peer_->out_;
    out_->far_cells = peer_->in_->cells;
    out_->far_arrivals = &peer_->arrivals_;
  }
}

// The far end is in another lane of the clock domain.
void flit_port::cross() {
  lane_mailbox& mail = peer_->clock_.lane().mailbox_from(clock_.lane(), latency());
  crossing_receiver_ = std::make_unique<crossing_receiver>(mail, arrivals_, in_->cells);
  returns_.crossing = std::make_unique<crossing_transmitter>(mail, *out_);
  in_->crossing = crossing_receiver_.get();
  in_->is_crossing = true;
}

void flit_port::listen_from(int first_channel) {
  first_channel_ = static_cast<std::uint8_t>(first_channel);
  arrivals_.reserve(0, first_channel + vcs_);
  if (is_bound()) peer_->aim();
}

void flit_port::listen_from(int first_channel, flit_channel* channels) {
  channels_ = channels;
  for (int vc = 0; vc < vcs(); ++vc) {
    flit_channel& each = channels[vc];
    each.first = static_cast<std::uint16_t>(vc);
    each.port = static_cast<std::uint8_t>(index_);
    each.vc = static_cast<std::uint8_t>(vc);
  }
  listen_from(first_channel);
  if (channels != own_channels_.get()) own_channels_.reset();
}

void flit_port::check_flit(std::uint64_t bytes) const {
  if (!is_bound() || flit_bytes_ == bytes) return;
  throw user_error(
      fmt::format("the link from {} to {} has `flit: {} B`, a flit of {} has {} B of data: a link "
                  "moves a flit a cycle, so state `flit: {} B`",
                  path(), peer_->path(), flit_bytes_, path(), bytes, bytes));
}

// Data comes in eighths of a flit. The last flits may have left the sender's pipeline for a wire
// that carries them in the next cycles.
link_figures flit_port::figures() const {
  link_figures sent;
  sent.packets = out_->flits;
  sent.bytes = out_->flits * flit_bytes_;
  sent.payload = sent.bytes - out_->absent_eighths * flit_bytes_ / 8;
  sent.busy = std::min(out_->flits * clock_.domain().period(), now_fs());
  sent.credit_stalls = credit_stalls_;
  return sent;
}

std::size_t flit_port::bytes() const {
  std::size_t sum = sizeof *this + sizeof *out_ + sizeof *in_;
  if (own_channels_) sum += static_cast<std::size_t>(vcs()) * sizeof(flit_channel);
  if (returns_.many) sum += (out_->last_returning + std::size_t{1}) * sizeof(credit_stamp);
  if (in_->cells) sum += (in_->last_cell + std::size_t{1}) * sizeof(flit);
  return sum;
}

// The far end wakes this one when it returns a credit from now on; what is on its way already
// wakes it here.
bool flit_port::wait_for_credit(int vc, cycle_t now) {
  flit_transmitter& end = *out_;
  if (!(end.blocked_vcs >> vc & 1)) ++credit_stalls_;
  end.block(vc);
  for (int i = 0; i <= end.last_returning; ++i)
    if (flit_transmitter::is_under_way(end.stamps()[i], vc, now))
      clock_.wake(end.stamps()[i] >> flit_transmitter::vc_bits);
  return false;
}

}  // namespace heddle
