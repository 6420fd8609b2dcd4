// Memory: a sparse store behind a pipelined port with latency and bandwidth. Blocking accesses
// never wait, and non-blocking ones complete in the call: both annotate when the last byte is
// there.
//
// Bytes of bulk transfers (extensions.hpp) are lent to whoever reads them, and kept where they came
// in a block of their own.
//
// A poll of one of its words may sleep here (platform/poll), except in pages to which an initiator
// has asked for direct access: nobody sees what is written to them.
//
// While contracts watch buffers (platform/buffers), every access of firmware is checked.
//
// Limitations: one shared data bus, no banks, no refresh; read and write turn around for free;
// streaming accesses are refused with a burst error.
#pragma once

#include <array>
#include <memory>

#include "models/memory/polled_pages.hpp"
#include "models/memory/sparse_store.hpp"
#include "platform/buffers/buffer_shadow.hpp"
#include "platform/explain/word_causes.hpp"
#include "platform/poll/poll_question.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/direct_target_socket.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

struct memory_parameters : parameter_set {
  parameter<byte_size> size{*this,      "size",
                            64_GiB,     within(4_KiB, 1024_GiB),
                            "capacity", "a power of two below the 141 GB of an H200"};
  parameter<duration> latency{*this, "latency", 100_ns, "request to first byte",
                              "JEDEC HBM3 core timing, tRCD + tCL plus controller: about 100 ns"};
  parameter<bandwidth> rate{*this, "bandwidth", 4800_GBps,
                            "bytes per second, reads and writes together", "H200 data sheet"};
  parameter<duration> atomic{*this, "atomic", 0_ns,
                             "an atomic occupies the memory for so long, at least",
                             "0: the cache in front does it; collective NoC 4.2.1: 3 cycles"};
  parameter<duration> word{*this, "word", 0_ns,
                           "an access of 8 B or less occupies the memory for so long, at least",
                           "0: words of other banks go on; pulp-platform/picobello "
                           "barrier_benchmark.c: polls and atomics of one word share its bank"};
  parameter<bool> dmi{*this, "dmi", true, "grants direct access to loosely timed initiators",
                      "TLM-2.0 loosely timed style"};
};

struct memory_counters : statistic_set {
  statistic reads{*this, "reads", quantity::count, "read accesses"};
  statistic writes{*this, "writes", quantity::count, "write accesses"};
  statistic bytes_read{*this, "bytes_read", quantity::bytes, "bytes read"};
  statistic bytes_written{*this, "bytes_written", quantity::bytes, "bytes written"};
  statistic busy{*this, "busy", quantity::busy, "time in which the data bus carried bytes"};
};

class memory final : public unit, private polled_target {
 public:
  using parameters = memory_parameters;
  using counters = memory_counters;
  static std::vector<port_description> port_descriptions();

  memory(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }

 private:
  struct entry {
    static constexpr bool completes_at_once = true;
    memory* owner;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      owner->b_transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
      return owner->transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
      return owner->get_direct_mem_ptr(payload, dmi);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
      if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
      owner->b_transport(payload, delay);
      return tlm::TLM_COMPLETED;
    }
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  bool holds(const tlm::tlm_generic_payload& payload) const;
  tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& payload) const;
  sc_core::sc_time on_bus(std::uint64_t bytes) const;
  sc_core::sc_time occupy(const sc_core::sc_time& start, const sc_core::sc_time& on_bus);
  fs_t take_time(const tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 const sc_core::sc_time& on_bus);
  void transport_ignored(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void watch(const tlm::tlm_generic_payload& payload, fs_t when);
  void access(tlm::tlm_generic_payload& payload, bulk_extension* bulk);
  void read_bytes(tlm::tlm_generic_payload& payload, bulk_extension* bulk);
  void write_bytes(const tlm::tlm_generic_payload& payload, const bulk_extension* bulk);
  void note_change(std::uint64_t address, std::uint64_t bytes) {
    polls_.changed(address, bytes);
    watches_.changed(address, bytes);
  }
  void explain(cause& why, const tlm::tlm_generic_payload& payload, fs_t done);
  void read_enabled(tlm::tlm_generic_payload& payload) const;
  void write_enabled(const tlm::tlm_generic_payload& payload);
  void modify(tlm::tlm_generic_payload& payload, atomic_extension& atomic);
  void answer(poll_question& question, std::uint64_t address);
  fs_t perform_poll(const sleeping_poll& poll, fs_t start) override;
  fs_t undisturbed_poll(const sleeping_poll& poll) const override;
  void repeat_poll(const sleeping_poll& poll, std::uint64_t times, fs_t last_start) override;

  memory_counters counters_;
  sparse_store store_;
  std::unique_ptr<buffer_shadow> shadow_;  // nullptr: nobody watches buffers
  // Times are the kernel's own: to make one of a number costs a call into its library.
  static constexpr std::size_t most_of_word = 8;
  sc_core::sc_time latency_, atomic_;
  std::array<sc_core::sc_time, most_of_word + 1> word_times_;  // on the data bus, by bytes
  bandwidth rate_;
  bool grants_dmi_;
  sc_core::sc_time bus_free_at_;
  word_causes writers_;
  poll_ledger polls_;
  polled_pages polled_;
  word_watches watches_;
  direct_target_socket<entry> socket_;
  memory_target_port port_;
};

}  // namespace heddle
