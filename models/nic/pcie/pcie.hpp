// PCIe bridge between a host and a device: each direction has a serializer and a latency of its
// own, and everything between the two crosses it. `down` takes what the host asks of the device,
// `up` what the device asks of the host's memory; interrupts travel up as messages.
//
// Timing: a transfer is cut into transactions of at most `payload` bytes, each with `header` bytes
// on the wire. Reads of the device are limited to `outstanding` at a time; one that says in its
// bulk_extension of which size its packets are stands for as many. A write is acknowledged
// when the host has performed it and the acknowledgement has come back.
//
// Limitations: a serializer is reserved in the order in which accesses begin; register accesses of
// the host do not queue behind answers to reads. Where the host's memory answers later than in the
// call, in four phases or in a blocking call that waits, a read counts as outstanding from its
// answer on: reads that overlap there are not limited.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <vector>

#include "platform/time/timed_queue.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/passing_target_socket.hpp"

namespace heddle {

struct pcie_parameters : parameter_set {
  parameter<bandwidth> rate{*this, "bandwidth", 256_GBps, "bytes per second in each direction",
                            "NetSparse Table 5; a x16 link of Gen6 has 128 GB/s each way"};
  parameter<duration> latency{*this,     "latency",          200_ns, within(0_ns, 1_ms),
                              "one way", "NetSparse Table 5"};
  parameter<byte_size> payload{*this,
                               "payload",
                               512_B,
                               within(64_B, 4_KiB),
                               "most bytes of a transaction",
                               "silent; a usual maximum payload"};
  parameter<byte_size> header{*this,
                              "header",
                              0_B,
                              within(0_B, 256_B),
                              "bytes a transaction",
                              "silent; the bandwidth of NetSparse Table 5 is taken as net"};
  parameter<std::uint64_t> outstanding{*this,
                                       "outstanding",
                                       768,
                                       within(1, 65536),
                                       "reads of the device at a time",
                                       "silent; PCIe 6 has 14-bit tags"};
};

struct pcie_counters : statistic_set {
  statistic bytes_up{*this, "bytes_up", quantity::bytes, "carried from the device to the host"};
  statistic bytes_down{*this, "bytes_down", quantity::bytes, "carried from the host to the device"};
  statistic busy_up{*this, "busy_up", quantity::busy, "time in which the wire to the host worked"};
  statistic busy_down{*this, "busy_down", quantity::busy,
                      "time in which the wire to the device worked"};
  statistic read_stalls{*this, "read_stalls", quantity::count,
                        "reads that waited because too many were outstanding"};
};

class pcie_bridge final : public unit, private interrupt_sink {
 public:
  using parameters = pcie_parameters;
  using counters = pcie_counters;
  static std::vector<port_description> port_descriptions();

  pcie_bridge(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  const bandwidth& rate() const { return rate_; }
  fs_t latency() const { return latency_; }

 private:
  // What comes from one side: which serializers carry it, and to whom it goes.
  struct side {
    pcie_bridge* owner;
    bool is_up;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    tlm::tlm_fw_transport_if<>* behind() { return owner->beyond(is_up).operator->(); }
  };
  using far_socket = tlm_utils::simple_initiator_socket<pcie_bridge>;

  void on_connected() override;
  far_socket& beyond(bool is_up) { return is_up ? host_ : device_; }
  // A request crosses the bridge, and later its response: each adds its time to `delay`.
  void request(bool is_up, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void respond(bool is_up, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void request_of_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void respond_to_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(bool is_up, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum of_host(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                             sc_core::sc_time& delay);
  tlm::tlm_sync_enum of_device(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);
  fs_t on_wire(std::uint32_t bytes) const;
  fs_t carry_up(std::uint32_t bytes, fs_t from);
  fs_t carry_down(std::uint32_t bytes, fs_t from);
  fs_t await_tags(std::size_t wanted, fs_t from);
  void keep_tags(std::size_t taken, fs_t until);
  std::size_t reads_in(const tlm::tlm_generic_payload& payload) const;
  void set_interrupt(int line, bool is_up) override;
  void deliver_interrupts();

  const bandwidth rate_;
  const fs_t latency_;
  const std::uint32_t payload_, header_;
  pcie_counters counters_;
  passing_target_socket<side> down_, up_;
  far_socket device_, host_;
  memory_target_port down_port_, up_port_;
  memory_initiator_port device_port_;
  memory_initiator_port host_port_;
  interrupt_input_port interrupt_in_;
  interrupt_output_port interrupt_out_;
  timed_queue<bool> interrupts_;
  fs_t up_free_at_ = 0, down_free_at_ = 0;
  std::vector<fs_t> tags_;  // a ring: when the read that has it is answered
  std::size_t next_tag_ = 0;
};

}  // namespace heddle
