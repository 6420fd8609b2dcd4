// A switch with dynamic multimem and GPUs that are played: they send stores and fetches with lists
// of experts, record what reaches them, and answer at once. A flit takes 1 ns on a link and 250 ns
// to the other end; the device takes 1 ns.
#pragma once

#include <string>
#include <vector>

#include "models/inc/dynamic/dynamic_multimem.hpp"
#include "models/switch/switch.hpp"
#include "platform/tensor/convert.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/packet/packet_response.hpp"
#include "transactors/packet/transmit_queue.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {

class played_gpu final : public unit, private packet_receiver {
 public:
  struct arrival {
    packet_kind kind = packet_kind::none;
    fs_t head = 0, tail = 0;
    std::uint32_t wire_bytes = 0, covered = 0;
    bool is_error = false;
    std::vector<std::uint16_t> experts;
    std::vector<float> values;
  };

  played_gpu(const unit_context& context, std::uint64_t base, std::uint64_t bytes, float value)
      : unit(context),
        id(sim().service<fabric>().add_endpoint(*this, base, bytes, packet_order::none)),
        port(*this, *this, "port", 0),
        value_(value),
        wake_(timed_call::to<played_gpu, &played_gpu::transmit>(*this)) {}

  void send(packet& p) {
    waiting_.push(p);
    transmit();
  }
  // All of one kind, in the order in which they came, from one instant to another.
  std::vector<arrival> of_kind(packet_kind kind, fs_t from = 0, fs_t to = fs_never) const {
    std::vector<arrival> found;
    for (const arrival& each : arrivals)
      if (each.kind == kind && each.head >= from && each.head < to) found.push_back(each);
    return found;
  }

  const endpoint_id id;
  packet_port port;
  std::vector<arrival> arrivals;
  fs_t answers_after = 0;  // the last byte of a request
  bool refuses = false;

 private:
  void receive(packet_port&, packet& p) override {
    arrival seen{p.kind, p.head, p.tail, p.wire_bytes, 0, p.is_error, {}, {}};
    if (const auto* list = p.header.as<target_list>()) {
      seen.experts.assign(list->experts.begin(), list->experts.end());
      seen.covered = list->covered;
    }
    if (p.payload) {
      seen.values.resize(p.payload_bytes / 2);
      widen(dtype::bf16, p.payload.data(), seen.values.data(), seen.values.size());
    }
    arrivals.push_back(seen);
    port.release(p, p.tail);
    if (is_response(p.kind) || p.kind == token_notice) return give_back(&p);
    answer(p);
  }
  void answer(packet& request) {
    auto& list = *request.header.as<target_list>();
    list.covered = static_cast<std::uint32_t>(list.experts.size());
    list.bytes = 0;
    const bool is_fetch = request.kind == token_fetch;
    request.payload.reset();
    if (is_fetch && request.carries_data) {
      const std::vector<float> values(request.payload_bytes / 2, value_);
      request.payload = payload_slice::allocate(request.payload_bytes);
      narrow(dtype::bf16, values.data(), request.payload.data(), values.size());
    }
    turn_into_response(request, is_fetch ? token_sum : token_ack);
    request.wire_bytes = 16U * request.train + request.payload_bytes;
    request.is_error = refuses;
    if (!request.is_inc) request.vc = vc_partition(port.vcs()).first(request.kind);
    request.tail += answers_after;
    send(request);
  }
  void credits_returned(packet_port&) override { transmit(); }
  void transmit() {
    const fs_t now = now_fs();
    if (waiting_.empty()) return;
    if (port.free_at() > now) return wake_.at(port.free_at());
    packet* next = waiting_.pop_sendable(port, now);
    if (!next) return;
    port.send(*next, std::max(now, next->tail), std::max(now, next->tail));
    if (!waiting_.empty()) wake_.at(port.free_at());
  }

  const float value_;
  transmit_queue waiting_;
  timed_call wake_;
};

inline const packet_format plain_packets{128, 16, 16};
inline const token_format dynamic_format{plain_packets, target_addressing::dynamic};

struct dynamic_options {
  int gpus = 32;
  std::uint64_t experts_per_gpu = 8;
  std::uint64_t buffer = 64 << 10;
  bool keeps_order = false, is_explicit = false;
};

struct dynamic_bench : test_bench {
  static constexpr std::uint64_t window = 1 << 20, range = 1ULL << 40;
  static constexpr fs_t flit = fs_per_ns, link_latency = 250 * fs_per_ns, device = fs_per_ns;

  packet_switch& core;
  dynamic_multimem& multimem;
  std::vector<played_gpu*> gpus;
  endpoint_id range_endpoint = 0;

  explicit dynamic_bench(const dynamic_options& o = {})
      : core(add<packet_switch>("switch",
                                [&](switch_parameters& p) {
                                  p.ports.set(static_cast<std::uint64_t>(o.gpus));
                                  p.forwarding.set({0});
                                })),
        multimem(add<dynamic_multimem>("multimem", [&](dynamic_multimem_parameters& p) {
          p.base.set({range});
          p.size.set({window});
          p.members.set(static_cast<std::uint64_t>(o.gpus));
          p.member_base.set({window});
          p.member_stride.set({window});
          p.experts_per_gpu.set(o.experts_per_gpu);
          p.buffer.set({o.buffer});
          p.order.load(word(o.keeps_order ? "target" : "arrival"));
          p.addressing.load(word(o.is_explicit ? "explicit" : "dynamic"));
        })) {
    bind(multimem, "switch", core, "inc");
    for (int i = 0; i < o.gpus; ++i) {
      const std::uint64_t base = (static_cast<std::uint64_t>(i) + 1) * window;
      gpus.push_back(&add_stimulus<played_gpu>("gpu" + std::to_string(i), base, window,
                                               static_cast<float>(i + 1)));
      link(*gpus.back(), "port", core, "port[" + std::to_string(i) + "]", [](link_parameters& p) {
        p.rate.set(bandwidth(16'000'000'000));
        p.latency.set({link_latency});
        p.buffer.set({32 << 10});
      });
    }
  }

  // From that GPU, one packet or a train of them.
  void send(int gpu, packet_kind kind, const std::vector<std::uint16_t>& experts,
            std::uint32_t bytes = 128, std::uint32_t tag = 0) {
    packet& p = *take_packet();
    p.kind = kind;
    p.address = range;
    p.payload_bytes = bytes;
    p.train = static_cast<std::uint16_t>((bytes + 127) / 128);
    p.source = gpus[static_cast<std::size_t>(gpu)]->id;
    p.destination = sim.service<fabric>().find_window(range)->endpoint;
    p.is_inc = true;
    p.vc = inc_vc_of(kind);
    p.tag = tag;
    p.reduced_type = static_cast<std::uint8_t>(dtype::bf16);
    auto& list = p.header.attach<target_list>();
    list.experts.assign(experts.begin(), experts.end());
    list.bytes = dynamic_format.extension_bytes(p.train, experts.size(), token_format::leg::source);
    p.wire_bytes = 16U * p.train + list.bytes + (kind == token_store ? bytes : 0);
    if (kind == token_store) {
      const std::vector<float> values(bytes / 2, 1.0F);
      p.payload = payload_slice::allocate(bytes);
      narrow(dtype::bf16, values.data(), p.payload.data(), values.size());
    }
    gpus[static_cast<std::size_t>(gpu)]->send(p);
  }
  static yaml_node word(const std::string& text) { return yaml_node::scalar(text, false, {}); }
  std::uint64_t statistic_of(const std::string& name) const {
    for (const auto* each : multimem.statistics()->all())
      if (each->name() == name) return each->raw();
    return ~0ULL;
  }
};

}  // namespace heddle
