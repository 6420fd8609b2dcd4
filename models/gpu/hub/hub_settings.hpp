// What a token hub is, from its data sheet and the run: numbers that never change.
#pragma once

#include <cstdint>

#include "models/gpu/hub/hub_parameters.hpp"
#include "platform/time/bandwidth.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

struct hub_settings {
  hub_settings(const token_hub_parameters& p, const simulation_settings& run)
      : format(p.tokens()),
        base(p.base().value),
        size(p.size().bytes),
        first_base(p.first_base().value),
        interleave(p.interleave().bytes),
        outstanding(static_cast<std::uint32_t>(p.outstanding())),
        fetches(static_cast<std::uint32_t>(p.fetches())),
        queue(static_cast<std::uint32_t>(p.queue())),
        multimem_queue(static_cast<std::uint32_t>(p.multimem_queue())),
        train(run.train),
        list_latency(p.list_latency().fs),
        memory_latency(p.memory_latency().fs),
        poll(p.poll().fs),
        hbm(p.hbm()),
        sms(static_cast<std::uint32_t>(p.sms())),
        flops(p.rates().flops_of_sm * static_cast<double>(p.sms())),
        carries_data(run.carries_data) {}

  const token_format format;
  const std::uint64_t base, size;  // of the GPU's memory
  const std::uint64_t first_base;  // memory of the first GPU
  const std::uint64_t interleave;
  const std::uint32_t outstanding, fetches;  // packets of each port without answer
  const std::uint32_t queue;                 // packets that wait for one port
  const std::uint32_t multimem_queue;        // packets of each SM that wait for their list
  const std::uint32_t train;                 // most packets that go as one
  const fs_t list_latency, memory_latency, poll;
  const bandwidth hbm;
  const std::uint32_t sms;
  const double flops;       // operations per second of all SMs
  const bool carries_data;  // real vectors are moved and computed

  std::uint64_t window_of(std::uint32_t gpu) const { return first_base + gpu * size; }
  // When kernels that poll see what is ready at that instant.
  fs_t polled(fs_t when) const { return (when + poll - 1) / poll * poll; }
  // Wire bytes of a train of vectors; one of counts has no more packets.
  std::uint32_t largest_packet() const {
    return train * format.packets.wire_bytes(format.packets.mtu, 1);
  }
};

}  // namespace heddle
