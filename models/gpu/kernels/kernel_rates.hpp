// How fast a GPU runs kernels: a roofline. A kernel's thread blocks go to the SMs in waves; a block
// takes its multiply-adds at the SM's peak rate times `efficiency`, or what it moves between its SM
// and L2, whichever is longer. SMs that have a block share L2's bandwidth evenly, and none gets
// more of it than its port carries. The kernel does not end before its bytes have come from HBM.
// kernel_time() is the same in one formula, for laws and tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "platform/time/bandwidth.hpp"
#include "platform/time/fs_time.hpp"
#include "sw/drivers/kernel_list.h"

namespace heddle {

struct kernel_rates {
  double fp16_flops = 0;  // per second, of all SMs; multiply-adds count twice
  double fp8_flops = 0;
  double efficiency = 1;  // share of these that a thread block reaches
  std::uint64_t sms = 1;
  bandwidth l2;       // of all SMs together
  bandwidth l2_port;  // of one SM
  bandwidth hbm;      // that a stream reaches
  fs_t hbm_latency = 0;
  fs_t ramp = 0;  // that each kernel takes beside its blocks

  fs_t block_time(const kernel_descriptor& of) const {
    const double peak = of.precision == KERNEL_FP8 ? fp8_flops : fp16_flops;
    const double of_sm = peak * efficiency / static_cast<double>(sms);
    const double multiply = static_cast<double>(of.block_flops) / of_sm;
    const fs_t flops = static_cast<fs_t>(std::llround(multiply * static_cast<double>(fs_per_s)));
    const fs_t on_chip = l2.duration(of.block_bytes * active_sms(of));
    return std::max({flops, on_chip, l2_port.duration(of.block_bytes)});
  }
  // The same roughly, of any descriptor, also where femtoseconds no longer count it.
  double seconds_of(const kernel_descriptor& of) const {
    if (of.time > 0) return seconds(of.time);
    const auto as_double = [](std::uint64_t number) { return static_cast<double>(number); };
    const double peak = of.precision == KERNEL_FP8 ? fp8_flops : fp16_flops;
    const double flops = as_double(of.block_flops) * as_double(sms) / (peak * efficiency);
    const double bytes = as_double(of.block_bytes);
    const double on_chip = bytes * as_double(active_sms(of)) / as_double(l2.bytes_per_second());
    const double port = bytes / as_double(l2_port.bytes_per_second());
    return as_double(waves(of)) * std::max({flops, on_chip, port}) +
           as_double(of.bytes) / as_double(hbm.bytes_per_second());
  }
  std::uint64_t waves(const kernel_descriptor& of) const { return (of.blocks + sms - 1) / sms; }
  std::uint64_t active_sms(const kernel_descriptor& of) const {
    return std::min<std::uint64_t>(of.blocks, sms);
  }
  // From its start until the next kernel may start.
  fs_t kernel_time(const kernel_descriptor& of) const {
    if (of.time > 0) return of.time;
    const fs_t memory = of.bytes > 0 ? hbm_latency + hbm.duration(of.bytes) : 0;
    return std::max(waves(of) * block_time(of), memory) + ramp;
  }
};

}  // namespace heddle
