#include "models/traffic/packet_destinations.hpp"

#include <utility>

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

packet_destinations::packet_destinations(destination_settings pattern, std::string trace)
    : pattern_(std::move(pattern)), trace_file_(std::move(trace)) {}

void packet_destinations::start(traffic_terminals& terminals, packet_traces& traces,
                                const unit& whose, endpoint_id self, const creation_limit& limit) {
  constexpr packet_granularity flits = packet_granularity::flits;
  if (trace_file_.empty())
    pattern_.start(terminals, flits, self, whose.sim().settings().seed);
  else
    trace_ = traces.of(trace_file_, whose.path(), terminals, flits, limit);
}

void packet_destinations::send_all_to(std::size_t place, const std::string& whose) {
  pattern_.send_all_to(place, whose);
}

std::vector<endpoint_id> packet_destinations::addressed() const {
  return trace_ ? trace_->addressed() : pattern_.addressed();
}

std::optional<std::uint64_t> packet_destinations::traced_packets(fs_t from, fs_t to) const {
  if (!trace_) return std::nullopt;
  return trace_->packets(from, to);
}

std::optional<fs_t> packet_destinations::traced_creation() const {
  if (!trace_) return std::nullopt;
  return trace_->is_over() ? fs_never : trace_->time();
}

endpoint_id packet_destinations::next(random_stream& random) {
  if (!trace_) return pattern_.next(random);
  const endpoint_id to = trace_->destination();
  trace_->advance();
  return to;
}

}  // namespace heddle
