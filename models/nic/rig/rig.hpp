// RIG block of a SmartNIC (NetSparse 5, Fig 5): units that gather properties by themselves, as
// clients or as servers, the caches before the index filter, a deconcatenator and a concatenator,
// and the port into the network. Everything that it wants of the host goes out of `memory`, which a
// PCIe bridge takes; see `heddle models pcie`.
//
// Timing: a packet is taken apart when its last byte is here, one PR a cycle. Requests go to the
// server units in turns, those with a full receive queue left out; when all are full, the packet
// stays in the receive buffer of its message class and holds up the sender. Packets wait for the
// link in a transmit buffer, half of which belongs to each class; when a half is full, nothing more
// of that class is accepted. So nothing is ever dropped, and responses do not wait for requests.
//
// Limitations: critical paths are not explained through it; a packet of a burst may be taken apart
// up to its own PRs' cycles before simulated time reaches them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/nic/rig/rig_client.hpp"
#include "models/nic/rig/rig_parameters.hpp"
#include "models/nic/rig/rig_regs.hpp"
#include "models/nic/rig/rig_server.hpp"
#include "platform/buffers/engine_buffers.hpp"
#include "platform/time/due_batches.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/gather/class_buffer.hpp"
#include "transactors/gather/concatenator.hpp"
#include "transactors/gather/gather_directory.hpp"
#include "transactors/gather/gather_packet.hpp"
#include "transactors/memory/interrupt_events.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/prompt_requester.hpp"
#include "transactors/memory/register_socket.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_queue.hpp"
#include "transactors/packet/transmit_queue.hpp"

namespace heddle {

class rig final : public unit,
                  private rig_hub,
                  private rig_client::listener,
                  private rig_server::listener,
                  private concatenator::listener,
                  private packet_receiver {
 public:
  using parameters = rig_parameters;
  using counters = rig_counters;
  static std::vector<port_description> port_descriptions();

  rig(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

  const register_file& registers() const { return regs_; }
  std::uint32_t number() const { return number_; }
  const rig_counters& count() const { return counters_; }
  const packet_port& port() const { return port_; }
  fs_t cycle() const { return limits.cycle; }
  std::uint32_t mtu() const { return mtu_; }
  std::uint64_t memory_bytes() const { return memory_bytes_; }
  bool is_filtered(std::uint64_t index) const { return filter.holds(index); }
  const rig_client_times& times_of(std::uint32_t at) const { return clients_of_[at]->times(); }
  std::uint32_t units() const { return static_cast<std::uint32_t>(servers_.size()); }
  std::uint32_t client_units() const {
    return static_cast<std::uint32_t>(__builtin_popcount(clients_));
  }
  std::uint32_t pending_entries() const { return limits.pending; }
  // Requests to each node since the run began.
  const std::vector<std::uint32_t>& asked() const { return asked_; }
  const concatenator_settings& concatenation() const { return concatenator_.settings(); }

 private:
  using state = rig_regs::unit_status_state;
  using error = rig_regs::unit_status_error;
  static constexpr int classes = gather_classes;  // of messages: requests, responses

  // Packets of one class that are here and not yet taken apart.
  struct lane {
    packet_queue packets;
    std::uint64_t length = 0;     // packets in it
    std::uint32_t next = 0;       // PR of the first of them
    bool is_taken_apart = false;  // at present: another call does nothing
  };
  struct property_written {
    int number = 0;  // of the unit
    std::uint32_t slot = 0, epoch = 0;
    std::uint64_t index = 0;
    fs_t when = 0;
  };
  struct property_read {
    int number = 0;  // of the unit
    served_property property;
  };

  void on_connected() override;

  // Software (rig_registers.cpp)
  void set_up_registers();
  template <class Register>
  bool refuses_while_running(const Register& written);
  void ring_doorbell(int at);
  void set_nodes(std::uint32_t wanted);
  void set_length(std::uint32_t wanted);
  void set_clients(std::uint32_t wanted);
  bool accepts(int at, const rig_command& command, std::string& reason, error& code) const;
  void reset(int at);
  void note_void(int at);
  bool relies_on_void(const rig_command& command);
  void clear_filter();
  void end_clearing();
  void set_concatenation();
  void show_state(int at, state now);
  void note_counts(int at);
  void raise_interrupt(int at, bool has_failed);
  bool is_client(int at) const { return (clients_ >> at & 1) != 0; }

  // rig_hub
  fs_t read_host(std::uint64_t address, std::byte* to, std::uint32_t bytes, fs_t when,
                 std::uint32_t each) override;
  fs_t write_host(std::uint64_t address, const std::byte* from, std::uint32_t bytes,
                  fs_t when) override;
  fs_t access_host(tlm::tlm_command command, std::uint64_t address, std::byte* data,
                   std::uint32_t bytes, fs_t when, std::uint32_t each = 0);
  nic_cache& cache() override { return cache_; }
  bool carries_data() const override { return carries_data_; }
  bool may_send(bool is_response) override {
    const bool has_room = waiting_bytes_[is_response] < tx_limit_;
    if (!has_room) has_refused_[is_response] = true;
    return has_room;
  }
  fs_t send(bool is_response, std::uint32_t node, const property_request& pr,
            const std::byte* bytes, std::uint32_t length, fs_t when) override;

  // Units
  void completed(int at) override;
  void failed(int at, rig_failure why) override;
  void writes(int at, std::uint32_t slot, std::uint32_t epoch, std::uint64_t index,
              fs_t until) override;
  void reads(int at, const served_property& property) override;
  void read_failed(int at, std::uint64_t property, std::uint64_t address) override;
  void end_writes();
  void end_reads();

  // Network
  packet_granularity granularity() const override { return packet_granularity::packets; }
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port&) override { transmit(); }
  void arrive();
  void prefetch(const gather_view& view, std::uint32_t from) const;
  void take_apart(lane& from);
  void take_apart_until_full(lane& from);
  void take_apart_all();
  bool give(const gather_view& view, std::uint32_t number, fs_t when);
  bool give_to_server(const property_request& pr, fs_t when);
  void emitted(packet& p, std::uint16_t port) override;
  void before_expiry() override;
  void transmit();
  void make_room(bool is_response);

  const std::uint32_t number_, mtu_;
  const std::uint64_t memory_bytes_, lose_, tx_limit_;
  const bool carries_data_;
  gather_directory& directory_;
  const endpoint_id endpoint_;

  rig_counters counters_;
  rig_registers regs_;
  register_socket registers_socket_;
  prompt_requester memory_;
  engine_buffers buffers_;  // lists of indices, by unit
  memory_initiator_port memory_port_;
  interrupt_events<rig_registers> events_;
  packet_port port_;

  nic_cache cache_;
  std::vector<std::unique_ptr<rig_client>> clients_of_;  // by unit
  std::vector<std::unique_ptr<rig_server>> servers_;     // by unit
  std::uint32_t clients_ = 0;                            // one bit a unit
  int next_server_ = 0;
  std::vector<rig_command> void_;  // commands that failed after they had set bits of the filter
  timed_call cleared_;
  fs_t clears_until_ = 0;

  due_batches<property_written> writes_;
  due_batches<property_read> reads_;

  arrival_queue arriving_;
  std::uint64_t arrived_ = 0;  // packets
  timed_call arrival_;
  lane lanes_[classes];
  fs_t takes_apart_at_ = 0;
  concatenator concatenator_;
  transmit_queue waiting_;
  timed_call wake_;
  std::uint64_t waiting_bytes_[classes] = {0, 0};
  std::vector<std::uint32_t> asked_;            // requests, by node
  bool has_refused_[classes] = {false, false};  // somebody waits for room

  void* const no_data_;  // what payloads point to when data is off
  std::vector<trace_signal<state>> state_traces_;
  trace_signal<std::uint64_t> waiting_trace_, arrived_trace_;
};

}  // namespace heddle
