// Where the packets of a terminal of flits go: by a pattern among the terminals of its network, or
// as a trace says, which also says when they are created.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/traffic/destination_pattern.hpp"
#include "models/traffic/packet_trace.hpp"

namespace heddle {

class packet_destinations {
 public:
  // `trace`: the file, empty for the pattern.
  packet_destinations(destination_settings pattern, std::string trace);

  // The terminals are known when everything is connected. Throws user_error when the pattern or the
  // file does not fit the terminals.
  void start(traffic_terminals& terminals, packet_traces& traces, const unit& whose,
             endpoint_id self, const creation_limit& limit);
  // Of a pattern that has started: see destination_pattern.
  bool sends_all_to_one() const { return !trace_ && pattern_.sends_all_to_one(); }
  void send_all_to(std::size_t place, const std::string& whose);

  std::vector<endpoint_id> addressed() const;
  // How many packets the trace creates from one instant to the other; nullopt where there is no
  // trace but a pattern.
  std::optional<std::uint64_t> traced_packets(fs_t from, fs_t to) const;
  // When the trace creates the next packet, fs_never when it is over; nothing as above.
  std::optional<fs_t> traced_creation() const;
  // The destination of the next packet.
  endpoint_id next(random_stream& random);

 private:
  destination_pattern pattern_;
  const std::string trace_file_;
  std::optional<packet_trace> trace_;
};

}  // namespace heddle
