// The data sheet of a kernel engine.
#pragma once

#include "models/gpu/kernels/kernel_rates.hpp"
#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

struct kernel_engine_parameters : parameter_set {
  parameter<std::uint64_t> sms{
      *this,
      "sms",
      132,
      within(1, 1024),
      "streaming multiprocessors, which share `tflops`, `tflops_fp8` and `l2_bandwidth`: with more "
      "of them each is slower, so a sweep over SMs must scale these rates, too",
      "H200 data sheet"};
  parameter<std::uint64_t> tflops{*this,
                                  "tflops",
                                  989,
                                  within(1, 1'000'000),
                                  "10^12 operations per second of all SMs, FP16",
                                  "H200 data sheet, dense"};
  parameter<std::uint64_t> tflops_fp8{*this,
                                      "tflops_fp8",
                                      1979,
                                      within(1, 1'000'000),
                                      "10^12 operations per second of all SMs, FP8",
                                      "H200 data sheet, dense"};
  parameter<double> efficiency{*this,
                               "efficiency",
                               0.7,
                               within(0.01, 1.0),
                               "share of the peak that a thread block reaches",
                               "large GEMMs of a GPU of this kind: 0.65 to 0.75 of the data sheet"};
  parameter<bandwidth> l2_bandwidth{*this, "l2_bandwidth", bandwidth(5'500'000'000'000),
                                    "between L2 and all SMs, shared by those that have a block",
                                    "read microbenchmarks of H100: 5.5 to 7 TB/s"};
  parameter<bandwidth> l2_port{*this, "l2_port", 117_GBps, "between L2 and one SM, at most",
                               "64 B a cycle at 1.83 GHz, the clock of `tflops`"};
  parameter<bandwidth> hbm{*this, "hbm", 4800_GBps, "of HBM", "H200 data sheet"};
  parameter<double> hbm_efficiency{*this,
                                   "hbm_efficiency",
                                   0.9,
                                   within(0.01, 1.0),
                                   "share of it that a stream reaches",
                                   "refresh and turnaround; STREAM on GPUs reaches 0.9"};
  parameter<duration> hbm_latency{*this, "hbm_latency", 250_ns,
                                  "from a kernel's start to its first operand",
                                  "100 ns of HBM3 and 150 ns to L2 (nvls_h100.yaml)"};
  parameter<duration> ramp{*this, "ramp", 0_ns,
                           "that each kernel takes beside its blocks: launch, grid synchronization",
                           "SCIN 4.1 excludes launch overhead"};
  parameter<duration> tick{*this,
                           "tick",
                           1_ns,
                           within(1_fs, 1_us),
                           "clock in whose ticks lists end, the same for all GPUs",
                           "resolution of a GPU's global timer"};
  parameter<byte_size> capacity{*this, "capacity", byte_size{141'000'000'000}, "bytes of HBM",
                                "H200 data sheet"};
  parameter<double> flop_energy{
      *this,
      "flop_energy",
      0,
      within(0.0, 1e9),
      "pJ of an operation that a result needs, zeros that pad a tile take none; 0: unknown",
      "a netlist says"};
  parameter<double> hbm_energy{
      *this,           "hbm_energy", 0, within(0.0, 1e9), "pJ of a byte from or to HBM; 0: unknown",
      "a netlist says"};

  kernel_rates rates() const {
    constexpr double tera = 1e12;
    kernel_rates result;
    result.fp16_flops = static_cast<double>(tflops()) * tera;
    result.fp8_flops = static_cast<double>(tflops_fp8()) * tera;
    result.efficiency = efficiency();
    result.sms = sms();
    result.l2 = l2_bandwidth();
    result.l2_port = l2_port();
    result.hbm = bandwidth(static_cast<std::uint64_t>(
        static_cast<double>(hbm().bytes_per_second()) * hbm_efficiency()));
    result.hbm_latency = hbm_latency().fs;
    result.ramp = ramp().fs;
    return result;
  }
};

struct kernel_engine_counters : statistic_set {
  statistic lists{*this, "lists", quantity::count, "lists completed"};
  statistic kernels{*this, "kernels", quantity::count, "kernels completed"};
  statistic measured{*this, "measured", quantity::count, "of them, with a time that was measured"};
  statistic flops{
      *this, "flops", quantity::count,
      "operations that results need, without the padding of tiles; multiply-adds count twice"};
  statistic bytes{*this, "bytes", quantity::bytes, "from and to HBM"};
  statistic busy{*this, "busy", quantity::busy, "time in lists"};
  statistic errors{*this, "errors", quantity::count, "lists refused"};
};

}  // namespace heddle
