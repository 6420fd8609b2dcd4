// A switch with an in-switch accelerator, a member at each port but the last, and a host at the
// registers. Links carry 1 B/ps unless the test says otherwise; monitors watch.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/inc/isa/isa.hpp"
#include "models/switch/switch.hpp"
#include "platform/contracts/register_audit.hpp"
#include "tests/support/interrupt_recorder.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/memory_member.hpp"
#include "tests/support/test_bench.hpp"

namespace heddle {

// What a host stages and pushes.
struct staged_instruction {
  int stream = 0;
  std::uint32_t id = 1;
  std::uint32_t length = 128;
  member_mask source = 0, destination = 0;
  std::uint64_t offset = 4096;           // of operand and result, in every member's memory
  std::map<int, std::uint64_t> address;  // absolute, instead of the offset
  dtype type = dtype::fp16;
  reduce_op op = reduce_op::sum;
  std::optional<quantization> quant;
  std::uint64_t scale_offset = 0;
  bool syncs = true, notifies = true, fences = false, is_single = false, is_scale = false;
  bool is_barrier = false;
};

struct isa_bench_options {
  int members = 2;
  int ports = 0;  // 0: one more than members
  std::uint32_t memory = 64 * 1024;
  std::uint32_t train = 1;
  bool carries_data = true;
  fs_t latency = 10 * fs_per_ns;
  std::uint64_t rate = 1'000'000'000'000;
  std::uint64_t buffer = 1 << 20;
  packet_format format = {128, 16, 16};
  std::function<void(isa_parameters&)> isa = [](isa_parameters&) {};
};

class isa_bench : public test_bench {
 public:
  using status = isa_regs::stream_status_state;
  static constexpr std::uint64_t flag_offset = 0;  // of stream 0; 8 B a stream

  explicit isa_bench(const isa_bench_options& given = {})
      : test_bench(settings_of(given)), options(given) {
    for (int m = 0; m < given.members; ++m) {
      const std::string name = "gpu[" + std::to_string(m) + "]";
      members.push_back(
          &add_stimulus<memory_member>(name + ".ni", base_of(m), given.memory, given.format));
      link(*members.back(), "port", hub, "port[" + std::to_string(m) + "]",
           [&](link_parameters& p) {
             p.rate.set(bandwidth(given.rate));
             p.latency.set({given.latency});
             p.buffer.set({given.buffer});
           });
    }
    bind(isa, "inc", hub, "inc");
    bind(host, "bus", isa, "registers");
    bind(isa, "irq", line, "irq");
  }

  static std::uint64_t base_of(int member) {
    return (static_cast<std::uint64_t>(member) + 1) << 32;
  }
  member_mask all() const { return (member_mask{1} << options.members) - 1; }
  static std::uint64_t isa_base() { return 0x4000'0000; }

  // The registers, from a thread.
  bool write32(std::uint64_t offset, std::uint32_t value) {
    return host.write(offset, &value, sizeof value).status == tlm::TLM_OK_RESPONSE;
  }
  bool write64(std::uint64_t offset, std::uint64_t value) {
    return host.write(offset, &value, sizeof value).status == tlm::TLM_OK_RESPONSE;
  }
  std::uint32_t read32(std::uint64_t offset) {
    std::uint32_t value = 0;
    host.read(offset, &value, sizeof value);
    return value;
  }
  std::uint64_t read64(std::uint64_t offset) {
    std::uint64_t value = 0;
    host.read(offset, &value, sizeof value);
    return value;
  }
  status state(int stream = 0) {
    return static_cast<status>(read32(isa_regs::stream_status_offset(place(stream))) & 7);
  }
  isa_error error(int stream = 0) {
    return static_cast<isa_error>(read32(isa_regs::stream_status_offset(place(stream))) >> 8 & 15);
  }
  member_mask culprit(int stream = 0) {
    return read64(isa_regs::stream_culprit_offset(place(stream)));
  }
  std::uint32_t completed(int stream = 0) {
    return read32(isa_regs::stream_completed_offset(place(stream)));
  }
  void reset(int stream = 0) { write32(isa_regs::stream_control_offset(place(stream)), 1); }

  void set_stream(int stream, member_mask taking_part, std::uint64_t watchdog_ns = 0) {
    write64(isa_regs::stream_members_offset(place(stream)), taking_part);
    write64(isa_regs::stream_flag_offset_offset(place(stream)), flag_of(stream));
    write64(isa_regs::stream_watchdog_offset(place(stream)), watchdog_ns);
  }
  static std::uint64_t flag_of(int stream) {
    return flag_offset + 8 * static_cast<std::uint64_t>(stream);
  }
  void push(const staged_instruction& i) {
    stage(i, i.offset);
    if (!i.quant || i.is_scale) return;
    staged_instruction scales = i;
    scales.is_scale = true;
    scales.address.clear();
    stage(scales, i.scale_offset);
  }
  // One push: quantized instructions need a second one.
  void stage(const staged_instruction& i, std::uint64_t offset) {
    const std::size_t s = place(i.stream);
    for (int m = 0; m < options.members; ++m) {
      const auto given = i.address.find(m);
      const std::uint64_t address = given == i.address.end() ? base_of(m) + offset : given->second;
      write64(isa_regs::address_operand_offset(s * most_members + place(m)), address);
    }
    write32(isa_regs::stream_instruction_offset(s), i.id);
    write32(isa_regs::stream_length_offset(s), i.length);
    write64(isa_regs::stream_source_offset(s), i.source);
    write64(isa_regs::stream_destination_offset(s), i.destination);
    write32(isa_regs::stream_operation_offset(s), operation(i));
    write32(isa_regs::stream_push_offset(s), 1);
  }

  // Members arrive, all at once, from wherever.
  void arrive(int stream, member_mask arriving, std::uint64_t count = 1) {
    for_each_member(arriving, [&](int m) {
      members[place(m)]->add(isa_base() + isa_regs::stream_counter_offset(place(stream)), count);
    });
  }
  std::uint32_t completions(int member, int stream = 0) const {
    return members[place(member)]->word(flag_of(stream));
  }
  std::uint32_t flagged_error(int member, int stream = 0) const {
    return members[place(member)]->word(flag_of(stream) + 4);
  }
  // When the flag of a member was last raised.
  fs_t flagged_at(int member, int stream = 0) const {
    fs_t when = 0;
    for (const memory_member::arrival& each : members[place(member)]->arrivals)
      if (each.kind == packet_kind::atomic_request &&
          each.address == base_of(member) + flag_of(stream))
        when = each.when;
    return when;
  }
  const isa_counters& count() const { return static_cast<const isa_counters&>(*isa.statistics()); }
  std::vector<std::string> audit() {
    std::vector<std::string> reasons;
    for (const register_audit& each : sim.service<register_audit_log>().records())
      reasons.push_back(each.reason);
    return reasons;
  }
  static void wait_ns(std::uint64_t time) { sc_core::wait(to_sc_time(time * fs_per_ns)); }

  const isa_bench_options options;
  packet_switch& hub = add<packet_switch>("nvs.core", [this](switch_parameters& p) {
    p.ports.set(static_cast<std::uint64_t>(options.ports ? options.ports : options.members + 1));
  });
  isa_unit& isa = add<isa_unit>("nvs.isa", [this](isa_parameters& p) {
    p.mtu.set({options.format.mtu});
    p.header.set({options.format.header});
    p.flit.set({options.format.flit});
    options.isa(p);
  });
  memory_initiator& host = add_stimulus<memory_initiator>("host");
  interrupt_recorder& line = add_stimulus<interrupt_recorder>("line");
  std::vector<memory_member*> members;

 private:
  static std::size_t place(int index) { return static_cast<std::size_t>(index); }
  static std::uint32_t operation(const staged_instruction& i) {
    const auto bit = [](bool is_set, int at) { return static_cast<std::uint32_t>(is_set) << at; };
    std::uint32_t bits = static_cast<std::uint32_t>(i.type) | static_cast<std::uint32_t>(i.op) << 4;
    if (i.quant && !i.is_scale)
      bits |= bit(true, 8) | bit(i.quant->bits == 4, 9) |
              static_cast<std::uint32_t>(__builtin_ctzll(i.quant->block)) << 10;
    return bits | bit(i.is_scale, 15) | bit(i.syncs, 16) | bit(i.notifies, 17) |
           bit(i.is_single, 18) | bit(i.fences, 19) | bit(i.is_barrier, 20);
  }
  static simulation_settings settings_of(const isa_bench_options& given) {
    simulation_settings settings;
    settings.train = given.train;
    settings.carries_data = given.carries_data;
    settings.has_monitors = true;
    return settings;
  }
};

}  // namespace heddle
