// A terminal of synthetic traffic in packets, beside whatever else shares the fabric: injects
// packets, takes those that arrive, on the same port, and checks them.
//
//   latency          from the creation of a packet until its last byte has arrived
//   network latency  from its first byte leaving the source queue until then
//
// Both count packets created in the window that starts after `warmup` and lasts `measure`; `lasts:
// run` leaves the window open until the cores of the run have finished their work. Accepted load is
// what arrives within the window.
//
// Open loop (`outstanding: 0`): packets are created as a Bernoulli process of `load`, or in bursts
// of `burst`, one trial in the time that a packet (a train) takes on the wire, or as `trace` says;
// they wait in an unbounded source queue. Closed loop: no more than `outstanding` packets are
// without a response, a header that the destination sends back in the response class of the virtual
// channels; a source that waits for a response creates nothing.
//
// With a `train` of several packets, packets are created and sent in trains of that many, or of as
// many as a row of the trace has left, or as `outstanding` leaves room for.
//
// Addresses, by which a fabric may spread packets, are those of one long stream of each source.
//
// Packets of a source are numbered, trains as one. A receiver sees for each source that the numbers
// ascend, and that the payload holds the bytes that follow from source and number: a packet out of
// order fails the run unless `order: free`, a wrong byte always does.
//
// Limitations: arriving packets are taken at once and leave the buffer with their last byte;
// responses go before packets of one's own; beside traffic that lasts as long as the run, a hang of
// firmware shows by its time limits, or after `stall`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/traffic/creation_process.hpp"
#include "models/traffic/destination_pattern.hpp"
#include "models/traffic/offered_load.hpp"
#include "models/traffic/packet_trace.hpp"
#include "models/traffic/progress_watch.hpp"
#include "models/traffic/traffic_data_sheet.hpp"
#include "platform/services/latency_histogram.hpp"
#include "platform/time/agenda.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/transmit_queue.hpp"

namespace heddle {

struct packet_traffic_parameters : window_parameters {
  load_parameter load{*this, "load", 0.1, "offered load", "a light load"};
  parameter<double> burst{*this,
                          "burst",
                          1,
                          within(1.0, 1e6),
                          "mean packets of a burst, created one behind the other; `load` stays",
                          "1: a Bernoulli process"};
  parameter<std::string> trace{*this, "trace", "",
                               "CSV file of `time,from,to,packets` that says instead of `load` and "
                               "`pattern` which packets are created",
                               "a netlist says"};
  parameter<std::uint64_t> outstanding{
      *this,
      "outstanding",
      0,
      within(0, 1 << 20),
      "closed loop: packets without a response at a time; 0: open loop",
      "Dally and Towles 2004, 23.1: open loop measures the network alone"};
  parameter<byte_size> packet_bytes{*this,
                                    "packet_bytes",
                                    256_B,
                                    within(2_B, 64_KiB),
                                    "bytes of a packet on the wire, header included",
                                    "a netlist says"};
  parameter<byte_size> header{*this,
                              "header",
                              16_B,
                              within(1_B, 256_B),
                              "header of every packet; a response is nothing else",
                              "SCIN 4.1: one flit"};
  destination_parameters to{*this};
  choice_parameter lasts{*this, "lasts", one_of("window", "run"),
                         "creation ends with the cooldown, or when the cores of the run are done",
                         "`run` is for traffic beside a workload"};
  parameter<duration> stall{*this,
                            "stall",
                            20_ms,
                            within(1_us, 1000_ms),
                            "`lasts: run`: the run fails when for so long nothing but such traffic "
                            "has happened",
                            "longer than the poll limit of cores"};
  choice_parameter order{*this, "order", one_of("kept", "free"),
                         "whether packets of a source to a destination must arrive in order",
                         "most protocols rely on it"};
  parameter<bool> check{*this, "check", true,
                        "compares every byte that arrives; `data: off` has none",
                        "wrong data must not go unseen"};
};

struct packet_traffic_counters : statistic_set {
  statistic packets_sent{*this, "packets_sent", quantity::count, "packets injected"};
  statistic bytes_sent{*this, "bytes_sent", quantity::bytes, "bytes injected, headers included"};
  statistic packets_received{*this, "packets_received", quantity::count,
                             "packets that arrived here"};
  statistic bytes_received{*this, "bytes_received", quantity::bytes,
                           "bytes that arrived here, headers included"};
  statistic window_bytes{*this, "window_bytes", quantity::bytes,
                         "bytes that arrived within the window: the accepted load"};
  statistic measured{*this, "measured", quantity::count,
                     "packets created in the window that arrived here (a train counts once)"};
  summed_time latency{*this, "latency", "summed latency of the measured packets"};
  statistic min_latency{*this, "min_latency", quantity::time, "smallest latency of them"};
  statistic max_latency{*this, "max_latency", quantity::time, "largest latency of them"};
  summed_time network_latency{*this, "network_latency",
                              "summed network latency of the measured packets"};
  statistic min_network_latency{*this, "min_network_latency", quantity::time,
                                "smallest network latency of them"};
  statistic max_network_latency{*this, "max_network_latency", quantity::time,
                                "largest network latency of them"};
  statistic reordered{*this, "reordered", quantity::count,
                      "packets that arrived behind a later one of their source"};
  statistic responses{*this, "responses", quantity::count, "responses that came back"};
};

class packet_traffic final : public unit, private packet_receiver, private traffic_source {
 public:
  using parameters = packet_traffic_parameters;
  using counters = packet_traffic_counters;
  static std::vector<port_description> port_descriptions();

  packet_traffic(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  const packet_traffic_counters& count() const { return counters_; }
  endpoint_id endpoint() const { return self_; }
  std::string waiting_for() const override;

 private:
  packet_granularity granularity() const override { return packet_granularity::packets; }
  void on_connected() override;
  place exchange_place() const override;
  std::vector<endpoint_id> addressed() const override;
  void check_link() const;
  void prepare_creation();
  void enter_results(double bytes_per_second);
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;

  void plan_next_packet();
  // When the next packet is created, and for whom; false when there will be none.
  bool draw_packet(endpoint_id& to);
  // Of that many packets at most, as many as the row has left.
  bool follow_trace(endpoint_id& to, std::uint32_t& packets);
  void transmit();
  bool send_planned(fs_t now);
  void arrive();  // last bytes of what is answered or was waited for
  void answer(packet& request);
  void take(const packet& arrived);
  void check_order(const packet& arrived);
  void check_data(const packet& arrived);
  void record(const packet& arrived);
  void fail(const packet& arrived, const std::string& what);
  bool is_in_window(fs_t t) const { return t >= window_start_ && t < window_end_; }
  std::uint8_t first_vc(packet_kind kind) const;

  packet_traffic_counters counters_;
  latency_histogram histogram_;
  traffic_terminals& terminals_;
  progress_watch& progress_;
  destination_pattern pattern_;
  random_stream random_;
  creation_process creation_;
  const std::string trace_file_;
  std::optional<packet_trace> trace_;
  packet_port port_;
  const endpoint_id self_;
  const offered_load load_;
  const double burst_;
  const std::uint64_t outstanding_;
  const std::uint32_t train_, packet_bytes_, header_bytes_, train_bytes_;
  const fs_t stall_;
  const bool lasts_run_, keeps_order_, carries_data_, checks_data_;
  fs_t window_start_, window_end_, last_creation_;

  fs_t next_trial_ = 0;
  fs_t slot_ = 0;            // of a train on the wire
  fs_t created_ = fs_never;  // of the planned packet
  packet* planned_ = nullptr;
  std::uint32_t number_ = 0;      // of the planned packet
  std::uint64_t unanswered_ = 0;  // packets
  transmit_queue replies_;
  arrival_queue arriving_;  // by tail
  timed_call wake_, arrival_;
  std::unordered_map<endpoint_id, std::uint32_t> latest_;  // number, by source
};

}  // namespace heddle
